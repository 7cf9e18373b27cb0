class Base:  # class: plain
    def register_buffer(self, name, value):
        setattr(self, name, value)
