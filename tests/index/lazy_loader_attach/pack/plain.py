class Plain:  # class: plain
    pass


class Other(Plain):  # class: plain
    pass
