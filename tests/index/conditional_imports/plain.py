class Base:  # class: plain
    pass
