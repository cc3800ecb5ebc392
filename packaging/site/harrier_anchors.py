"""The names of headings, as GitHub gives them, so that a link to a heading means the same in the site."""
import re


def slug(heading, separator):
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", separator)
