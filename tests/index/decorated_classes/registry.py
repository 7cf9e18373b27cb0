CLASSES = {}


def register(cls):
    CLASSES[cls.__name__] = cls
    return cls


def register_as(name):
    def keep(cls):
        CLASSES[name] = cls
        return cls

    return keep
