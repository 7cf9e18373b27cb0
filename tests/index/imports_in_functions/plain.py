class Base:  # class: plain
    pass


class Other:  # class: plain
    pass
