class Plain:  # class: plain
    pass
