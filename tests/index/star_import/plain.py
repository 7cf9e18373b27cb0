class Hidden:  # class: plain
    pass
