class Here:  # class: plain
    pass
