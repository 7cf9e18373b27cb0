from logging import Handler as Base


class Handler(Base):  # class: plain
    pass
