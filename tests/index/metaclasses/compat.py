"""What six offers for metaclasses."""


def with_metaclass(meta, *bases):
    class metaclass(type):  # class: plain
        def __new__(cls, name, this_bases, d):
            return meta(name, bases, d)

    return type.__new__(metaclass, "temporary_class", (), {})


def add_metaclass(metaclass):
    def wrapper(cls):
        members = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
        return metaclass(cls.__name__, cls.__bases__, members)

    return wrapper
