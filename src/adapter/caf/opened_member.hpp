#pragma once

namespace harrier::caf_adapter {

/// Members of CAF's that are private: an explicit instantiation may name them. The tag declares a friend,
/// `member(tag)`, that gives the pointer to the member.
template <class Tag, typename Tag::type Member>
struct opened_member {
  friend typename Tag::type member(Tag) { return Member; }
};

}  // namespace harrier::caf_adapter
