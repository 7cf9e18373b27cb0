class Plain:  # class: plain
    pass


__all__ = ["Plain"]
