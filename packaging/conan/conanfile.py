from pathlib import Path

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, rmdir
from conan.tools.gnu import PkgConfigDeps

required_conan_version = ">=2.0"


class HarrierConan(ConanFile):
    """The sources that it stands in: conan create packaging/conan --build=missing"""

    name = "harrier"
    version = "0.2.0"
    description = "Explores every order of message deliveries that can matter in a C++ actor program"
    license = "BSD-3-Clause"
    topics = ("testing", "model-checking", "actors", "concurrency")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "fPIC": [True, False],
        "command_line": [True, False],
        "gtest": [True, False],
        "protocol": [True, False],
        "transport": [True, False],
    }
    default_options = {"fPIC": True, "command_line": True, "gtest": True, "protocol": True, "transport": False}

    _always = ["core", "native", "ordering", "engine", "replay", "explain", "explore", "src"]
    # Of each option the folders of src/ that it adds, and the switch of CMake.
    _folders = {
        "command_line": ["report", "isolation", "by_hand", "cli", "subjects"],
        "gtest": ["gtest"],
        "protocol": ["property", "protocol_runtime", "protocol"],
        "transport": ["transport"],
    }
    _switches = {
        "command_line": ["HARRIER_BUILD_CLI", "HARRIER_BUILD_SUBJECTS"],
        "gtest": ["HARRIER_BUILD_GTEST"],
        "protocol": ["HARRIER_BUILD_PROTOCOL"],
        "transport": ["HARRIER_BUILD_TRANSPORT"],
    }
    _left_out = ["ANALYSE", "CAF", "DISTRIBUTED", "EXAMPLES", "TESTS", "WEB"]

    _exported = ["CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "cmake/*", "include/*", "src/*",
                 "subjects/*", "docs/*", "examples/*", "action.yml", "packaging/ci/*", "bench/README.md", "bench/*.svg"]

    def export_sources(self):
        root = Path(self.recipe_folder).parents[1]
        for pattern in self._exported:
            copy(self, pattern, root, self.export_sources_folder, excludes="*/build/*")

    def requirements(self):
        self.requires("boost/1.83.0", transitive_headers=True, options={"header_only": True})
        self.requires("fmt/9.1.0")
        self.requires("xxhash/0.8.2")
        if self.options.command_line:
            self.requires("cli11/2.3.2")
            self.requires("nlohmann_json/3.11.2", transitive_headers=True)
        if self.options.gtest:
            self.requires("gtest/1.14.0", transitive_headers=True)
        if self.options.protocol:
            self.requires("taocpp-pegtl/3.2.7")
        if self.options.transport:
            self.requires("cereal/1.3.2", transitive_headers=True)

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("harrier is for Linux")
        if self.options.gtest and not self.options.command_line:
            raise ConanInvalidConfiguration("harrier:gtest needs harrier:command_line")
        if self.options.transport and not self.options.protocol:
            raise ConanInvalidConfiguration("harrier:transport needs harrier:protocol")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        folders = list(self._always)
        for option, switches in self._switches.items():
            wanted = bool(self.options.get_safe(option))
            folders += self._folders[option] if wanted else []
            for switch in switches:
                toolchain.cache_variables[switch] = wanted
        for part in self._left_out:
            toolchain.cache_variables[f"HARRIER_BUILD_{part}"] = False
        toolchain.cache_variables["HARRIER_FOLDERS"] = ";".join(folders)
        toolchain.generate()
        dependencies = CMakeDeps(self)
        dependencies.set_property("taocpp-pegtl", "cmake_file_name", "pegtl")
        dependencies.generate()
        PkgConfigDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder) / "licenses")
        rmdir(self, str(Path(self.package_folder) / "share" / "doc"))

    def package_info(self):
        # The package brings its own harrierConfig.cmake, with its components.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append(str(Path("lib") / "cmake" / "harrier"))
