class Linear:  # class: plain
    pass
