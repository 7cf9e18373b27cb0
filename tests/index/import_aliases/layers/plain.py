class Base:  # class: plain
    pass


Module = Base
