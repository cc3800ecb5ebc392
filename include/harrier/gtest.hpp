#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <harrier/gtest/printing.hpp>
#include <harrier/gtest/test_options.hpp>
#include <harrier/harrier.hpp>
#include <harrier/native/test_body.hpp>

/// GoogleTest's macros for tests that are explored: an ETEST is a TEST whose body
/// is a driver, run once for each order of deliveries that can matter.
///
///     ETEST(Server, ReadsAgree) {                       // `self` is the driver's
///       const auto store = self.create<server>();
///       const auto user = self.create<client>(store);
///       self.send<&client::start>(user);
///       handle_all();                                   // or handle_one(), handle_until(condition)
///       EXPECT_EQ(state(store).value, 5);
///     }
///
/// A failure is one of GoogleTest's, with the deliveries that lead to it, and the
/// command that runs just them again. Source: docs/testing.md.

namespace harrier {

/// What the body of an ETEST can say beside what `self` can: see test_run. A
/// fixture that derives from it can say the same, see etest_fixture.
///
/// Made only while an ETEST runs, for each run of its body anew.
class etest_body {
public:
  etest_body(const etest_body&) = delete;
  etest_body& operator=(const etest_body&) = delete;

  /// Of this run of the body.
  static bool HasFatalFailure();
  static bool HasNonfatalFailure();
  static bool HasFailure();

protected:
  /// @throws error  no ETEST runs: it is a fixture of a TEST_F.
  etest_body();
  ~etest_body() = default;

  void handle_all() { run_->handle_all(); }
  bool handle_one() { return run_->handle_one(); }
  bool handle_until(const std::function<bool()>& condition) { return run_->handle_until(condition); }
  template <class Actor>
  [[nodiscard]] const Actor& state(ref<Actor> of) const {
    return run_->state(of);
  }
  [[nodiscard]] states actors() const { return run_->actors(); }
  template <class Check>
  void finally(Check check) {
    run_->finally(std::move(check));
  }

  /// @name What is to hold in every execution (docs/specifications.md)
  ///
  /// Said before the first delivery, the same in each run of the body. The functions capture nothing: they are asked
  /// while the actors go on, and the body is left.
  /// @{

  /// As harrier::always, ::sometimes, ::eventually and ::leads_to of a program.
  template <class Predicate>
  void always(std::string name, Predicate holds) {
    require_no_captures<Predicate>();
    specify(harrier::always(std::move(name), std::move(holds)));
  }
  template <class Predicate>
  void sometimes(std::string name, Predicate holds) {
    require_no_captures<Predicate>();
    specify(harrier::sometimes(std::move(name), std::move(holds)));
  }
  template <class Predicate>
  void eventually(std::string name, Predicate holds) {
    require_no_captures<Predicate>();
    specify(harrier::eventually(std::move(name), std::move(holds)));
  }
  template <class Predicate, class Promised>
  void leads_to(std::string name, Predicate begun, Promised kept) {
    require_no_captures<Predicate>();
    require_no_captures<Promised>();
    specify(harrier::leads_to(std::move(name), std::move(begun), std::move(kept)));
  }
  /// As harrier::converges of a program.
  template <class Predicate>
  void converges(std::string name, Predicate reached, std::size_t most_deliveries = 1000) {
    require_no_captures<Predicate>();
    run_->converges(std::move(name), std::move(reached), most_deliveries);
  }
  /// What is made elsewhere, as for harrier::specified: of histories (`specify(harrier::linearizable(...))`), and what
  /// a program and its tests have in common. Its functions may capture values, but no references into the body.
  void specify(specification what) { run_->specify(std::move(what)); }
  void specify(std::vector<specification> all) {
    for (auto& what : all) specify(std::move(what));
  }
  /// @}

  /// The driver's, as in its body.
  harrier::self& self;

private:
  template <class Function>
  static consteval void require_no_captures() {
    static_assert(std::is_empty_v<Function> || std::is_pointer_v<Function>,
                  "harrier: what is to hold in a test captures nothing, since it is asked when the body is left; what "
                  "needs a value is made by a function that is given it: specify(at_most(n))");
  }

  test_run* run_;
};

/// A fixture in which `self`, handle_all(), state() and the like are there from
/// its first member on: in initialisers of members, the constructor, SetUp and
/// TearDown, and whatever else it has. For ETEST_F, ETEST_P, TYPED_ETEST and
/// TYPED_ETEST_P.
///
///     class Shop : public harrier::etest_fixture {
///     protected:
///       void SetUp() override { self.send<&office::open>(office); }
///       void buy(int n) { self.send<&office::sell>(office, n); }
///       const harrier::ref<office> office = self.create<::office>();
///     };
///
/// With values: `class Shop : public harrier::etest_fixture, public testing::WithParamInterface<int>`.
class etest_fixture : public testing::Test, public etest_body {
public:
  using etest_body::HasFailure;
  using etest_body::HasFatalFailure;
  using etest_body::HasNonfatalFailure;
};

/// What the macros below call; nothing for users.
class etest_registry {
public:
  using run_function = void (*)(self&, test_run&);

  /// Explores the running test.
  static void explore(run_function body, const test_options& asked);
  /// Reads the flags, so that a wrong one is told before any test runs.
  static int prepare();
  /// Whether the body is to be run: no fatal failure, no skip so far.
  static bool may_go_on();

  /// A fixture saves GoogleTest's flags when it is made, and restores them when it goes. Several jobs run bodies at the
  /// same time, so that is done by one at a time.
  template <class Body>
  class made_alone {
  public:
    made_alone() {
      const std::lock_guard lock(guard());
      body_ = std::make_unique<Body>();
    }
    made_alone(const made_alone&) = delete;
    made_alone& operator=(const made_alone&) = delete;
    ~made_alone() {
      const std::lock_guard lock(guard());
      body_.reset();
    }
    [[nodiscard]] Body& get() const { return *body_; }

  private:
    std::unique_ptr<Body> body_;
  };
  static std::mutex& guard();

  /// One run of a body: its fixture is made, set up, and torn down whatever happens.
  template <class Body>
  static void run(self& me, test_run&) {
    struct reached : ::testing::Test {
      using ::testing::Test::SetUp;
      using ::testing::Test::TearDown;
    };
    const made_alone<Body> made;
    auto& body = made.get();
    if (!may_go_on()) return;
    ::testing::Test& fixture = body;
    const auto tear_down = [&] { (fixture.*(&reached::TearDown))(); };
    try {
      (fixture.*(&reached::SetUp))();
      if (may_go_on()) body.run_etest(me);
    } catch (...) {
      tear_down();
      throw;
    }
    tear_down();
  }

  template <class Fixture>
  class with_body : public Fixture, public etest_body {};
  /// What a body derives from: its fixture, and etest_body if that does not.
  template <class Fixture>
  using base_of = std::conditional_t<std::is_base_of_v<etest_body, Fixture>, Fixture, with_body<Fixture>>;

  /// What GoogleTest makes and runs. The fixture is made for each run of the body,
  /// not around all of them; only its suite is set up here.
  template <class Fixture>
  class around : public ::testing::Test {
  public:
    static void SetUpTestSuite() { call(suite<Fixture>::GetSetUpCaseOrSuite(__FILE__, __LINE__)); }
    static void TearDownTestSuite() { call(suite<Fixture>::GetTearDownCaseOrSuite(__FILE__, __LINE__)); }

  private:
    template <class Of>
    using suite = ::testing::internal::SuiteApiResolver<Of>;
    static void call(void (*what)()) {
      if (what != nullptr) what();
    }
  };
  /// The same for a fixture with values.
  template <class Fixture>
  class around_each : public around<Fixture>, public ::testing::WithParamInterface<typename Fixture::ParamType> {};
};

}  // namespace harrier

#define HARRIER_ETEST_BODY_(suite, name) suite##_##name##_Explored

// The parameter `self` shadows the one of etest_body; compilers do not warn of one that shadows a function.
#define HARRIER_ETEST_MEMBERS_                            \
public:                                                   \
  using ::harrier::etest_body::HasFailure;                \
  using ::harrier::etest_body::HasFatalFailure;           \
  using ::harrier::etest_body::HasNonfatalFailure;        \
  void run_etest([[maybe_unused]] ::harrier::self& self); \
                                                          \
private:                                                  \
  void self();                                            \
  void TestBody() override {}

#define HARRIER_ETEST_DECLARE_(suite, name, fixture)                                                  \
  class HARRIER_ETEST_BODY_(suite, name) final : public ::harrier::etest_registry::base_of<fixture> { \
    HARRIER_ETEST_MEMBERS_                                                                            \
  };

#define HARRIER_ETEST_EXPLORE_(suite, name, ...)                                                        \
  ::harrier::etest_registry::explore(&::harrier::etest_registry::run<HARRIER_ETEST_BODY_(suite, name)>, \
                                     ::harrier::test_options{__VA_ARGS__})

#define HARRIER_ETEST_(suite, name, fixture, fixture_id, ...)                        \
  HARRIER_ETEST_DECLARE_(suite, name, fixture)                                       \
  GTEST_TEST_(suite, name, ::harrier::etest_registry::around<fixture>, fixture_id) { \
    HARRIER_ETEST_EXPLORE_(suite, name, __VA_ARGS__);                                \
  }                                                                                  \
  void HARRIER_ETEST_BODY_(suite, name)::run_etest([[maybe_unused]] ::harrier::self& self)

/// `ETEST(Suite, Name, .option = value, ...)`: as TEST(Suite, Name).
#define ETEST(suite, name, ...) \
  HARRIER_ETEST_(suite, name, ::testing::Test, ::testing::internal::GetTestTypeId(), __VA_ARGS__)

/// As TEST_F(Fixture, Name). Each run of the body has a fixture of its own.
#define ETEST_F(fixture, name, ...) \
  HARRIER_ETEST_(fixture, name, fixture, ::testing::internal::GetTypeId<fixture>(), __VA_ARGS__)

/// As TEST_P(Fixture, Name), with INSTANTIATE_TEST_SUITE_P.
#define ETEST_P(fixture, name, ...)                                                                                  \
  HARRIER_ETEST_DECLARE_(fixture, name, fixture)                                                                     \
  class GTEST_TEST_CLASS_NAME_(fixture, name) : public ::harrier::etest_registry::around_each<fixture> {             \
    void TestBody() override { HARRIER_ETEST_EXPLORE_(fixture, name, __VA_ARGS__); }                                 \
    static int add_to_registry() {                                                                                   \
      ::testing::internal::CodeLocation here(__FILE__, __LINE__);                                                    \
      ::testing::UnitTest::GetInstance()                                                                             \
          ->parameterized_test_registry()                                                                            \
          .GetTestSuitePatternHolder<fixture>(GTEST_STRINGIFY_(fixture), here)                                       \
          ->AddTestPattern(GTEST_STRINGIFY_(fixture), GTEST_STRINGIFY_(name),                                        \
                           new ::testing::internal::TestMetaFactory<GTEST_TEST_CLASS_NAME_(fixture, name)>(), here); \
      return 0;                                                                                                      \
    }                                                                                                                \
    [[maybe_unused]] static inline const int is_registered_ = add_to_registry();                                     \
  };                                                                                                                 \
  void HARRIER_ETEST_BODY_(fixture, name)::run_etest([[maybe_unused]] ::harrier::self& self)

/// Classes `body`, and `test`, which GoogleTest makes for each type.
#define HARRIER_TYPED_ETEST_(fixture, body, test, ...)                                            \
  template <class gtest_TypeParam_>                                                               \
  class body final : public ::harrier::etest_registry::base_of<fixture<gtest_TypeParam_>> {       \
    using TestFixture [[maybe_unused]] = fixture<gtest_TypeParam_>;                               \
    using TypeParam [[maybe_unused]] = gtest_TypeParam_;                                          \
    using ::harrier::etest_body::actors;                                                          \
    using ::harrier::etest_body::always;                                                          \
    using ::harrier::etest_body::converges;                                                       \
    using ::harrier::etest_body::eventually;                                                      \
    using ::harrier::etest_body::finally;                                                         \
    using ::harrier::etest_body::handle_all;                                                      \
    using ::harrier::etest_body::handle_one;                                                      \
    using ::harrier::etest_body::handle_until;                                                    \
    using ::harrier::etest_body::leads_to;                                                        \
    using ::harrier::etest_body::sometimes;                                                       \
    using ::harrier::etest_body::specify;                                                         \
    using ::harrier::etest_body::state;                                                           \
    HARRIER_ETEST_MEMBERS_                                                                        \
  };                                                                                              \
  template <class gtest_TypeParam_>                                                               \
  class test : public ::harrier::etest_registry::around<fixture<gtest_TypeParam_>> {              \
    void TestBody() override {                                                                    \
      ::harrier::etest_registry::explore(&::harrier::etest_registry::run<body<gtest_TypeParam_>>, \
                                         ::harrier::test_options{__VA_ARGS__});                   \
    }                                                                                             \
  };

/// As TYPED_TEST(Fixture, Name), with TYPED_TEST_SUITE: TypeParam and TestFixture
/// are there, and what a fixture has itself is named by `this->`.
#define TYPED_ETEST(fixture, name, ...)                                                                              \
  HARRIER_TYPED_ETEST_(fixture, HARRIER_ETEST_BODY_(fixture, name), GTEST_TEST_CLASS_NAME_(fixture, name),           \
                       __VA_ARGS__)                                                                                  \
  [[maybe_unused]] static const bool gtest_##fixture##_##name##_registered_ =                                        \
      ::testing::internal::TypeParameterizedTest<                                                                    \
          fixture, ::testing::internal::TemplateSel<GTEST_TEST_CLASS_NAME_(fixture, name)>,                          \
          GTEST_TYPE_PARAMS_(fixture)>::Register("", ::testing::internal::CodeLocation(__FILE__, __LINE__),          \
                                                 GTEST_STRINGIFY_(fixture), GTEST_STRINGIFY_(name), 0,               \
                                                 ::testing::internal::GenerateNames<GTEST_NAME_GENERATOR_(fixture),  \
                                                                                    GTEST_TYPE_PARAMS_(fixture)>()); \
  template <class gtest_TypeParam_>                                                                                  \
  void HARRIER_ETEST_BODY_(fixture, name)<gtest_TypeParam_>::run_etest([[maybe_unused]] ::harrier::self& self)

/// As TYPED_TEST_P(Fixture, Name), with TYPED_TEST_SUITE_P, REGISTER_TYPED_TEST_SUITE_P
/// and INSTANTIATE_TYPED_TEST_SUITE_P.
#define TYPED_ETEST_P(fixture, name, ...)                                                                              \
  namespace GTEST_SUITE_NAMESPACE_(fixture) {                                                                          \
    HARRIER_TYPED_ETEST_(fixture, HARRIER_ETEST_BODY_(fixture, name), name, __VA_ARGS__)                               \
    [[maybe_unused]] static const bool gtest_##name##_defined_ = GTEST_TYPED_TEST_SUITE_P_STATE_(fixture).AddTestName( \
        __FILE__, __LINE__, GTEST_STRINGIFY_(fixture), GTEST_STRINGIFY_(name));                                        \
  }                                                                                                                    \
  template <class gtest_TypeParam_>                                                                                    \
  void GTEST_SUITE_NAMESPACE_(fixture)::HARRIER_ETEST_BODY_(                                                           \
      fixture, name)<gtest_TypeParam_>::run_etest([[maybe_unused]] ::harrier::self& self)

namespace harrier {
/// Each program with an ETEST reads the flags before its tests run.
[[maybe_unused]] static const int etest_flags_are_read = etest_registry::prepare();
}  // namespace harrier
