class Listed:  # class: plain
    pass


class _Private(Listed):  # class: plain
    pass


class Added(Listed):  # class: plain
    pass


class Extended(Listed):  # class: plain
    pass


class Joined(Listed):  # class: plain
    pass


class Left(Listed):  # class: plain
    pass
