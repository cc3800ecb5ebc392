#pragma once

#include <clang-c/Index.h>

#include "../core/base/late_library.hpp"

/// The functions of libclang that are used here, under their own names. They are found in the library when they are
/// called: a binary that is linked to it loads it, and LLVM with it, whenever it starts, and few runs read a source.
namespace harrier::clang {

struct libclang {
  static constexpr auto file = HARRIER_LIBCLANG;  // it stays: LLVM does not like to be unloaded
  static constexpr auto name = "libclang";
  static constexpr auto if_missing = "analyse needs libclang, which cannot be loaded";
  static constexpr auto package = "libclang1-19";
};

#define HARRIER_FROM_LIBCLANG(name) \
  inline constexpr late_function<libclang, decltype(::clang_##name)> name("clang_" #name)
HARRIER_FROM_LIBCLANG(CXXField_isMutable);
HARRIER_FROM_LIBCLANG(CXXMethod_isConst);
HARRIER_FROM_LIBCLANG(CXXMethod_isStatic);
HARRIER_FROM_LIBCLANG(CXXMethod_isVirtual);
HARRIER_FROM_LIBCLANG(Cursor_getArgument);
HARRIER_FROM_LIBCLANG(Cursor_getNumArguments);
HARRIER_FROM_LIBCLANG(Cursor_hasVarDeclGlobalStorage);
HARRIER_FROM_LIBCLANG(Cursor_isAnonymousRecordDecl);
HARRIER_FROM_LIBCLANG(Cursor_isBitField);
HARRIER_FROM_LIBCLANG(Cursor_isInlineNamespace);
HARRIER_FROM_LIBCLANG(Location_isFromMainFile);
HARRIER_FROM_LIBCLANG(Location_isInSystemHeader);
HARRIER_FROM_LIBCLANG(Type_getNumTemplateArguments);
HARRIER_FROM_LIBCLANG(Type_getTemplateArgumentAsType);
HARRIER_FROM_LIBCLANG(Type_visitFields);
HARRIER_FROM_LIBCLANG(createIndex);
HARRIER_FROM_LIBCLANG(disposeDiagnostic);
HARRIER_FROM_LIBCLANG(disposeIndex);
HARRIER_FROM_LIBCLANG(disposeString);
HARRIER_FROM_LIBCLANG(disposeTranslationUnit);
HARRIER_FROM_LIBCLANG(equalCursors);
HARRIER_FROM_LIBCLANG(getArgType);
HARRIER_FROM_LIBCLANG(getArrayElementType);
HARRIER_FROM_LIBCLANG(getCString);
HARRIER_FROM_LIBCLANG(getCXXAccessSpecifier);
HARRIER_FROM_LIBCLANG(getCanonicalCursor);
HARRIER_FROM_LIBCLANG(getCanonicalType);
HARRIER_FROM_LIBCLANG(getCursorBinaryOperatorKind);
HARRIER_FROM_LIBCLANG(getCursorDefinition);
HARRIER_FROM_LIBCLANG(getCursorDisplayName);
HARRIER_FROM_LIBCLANG(getCursorKind);
HARRIER_FROM_LIBCLANG(getCursorLocation);
HARRIER_FROM_LIBCLANG(getCursorReferenced);
HARRIER_FROM_LIBCLANG(getCursorResultType);
HARRIER_FROM_LIBCLANG(getCursorSemanticParent);
HARRIER_FROM_LIBCLANG(getCursorSpelling);
HARRIER_FROM_LIBCLANG(getCursorType);
HARRIER_FROM_LIBCLANG(getCursorUSR);
HARRIER_FROM_LIBCLANG(getCursorUnaryOperatorKind);
HARRIER_FROM_LIBCLANG(getDiagnostic);
HARRIER_FROM_LIBCLANG(getDiagnosticLocation);
HARRIER_FROM_LIBCLANG(getDiagnosticSeverity);
HARRIER_FROM_LIBCLANG(getDiagnosticSpelling);
HARRIER_FROM_LIBCLANG(getFileLocation);
HARRIER_FROM_LIBCLANG(getFileName);
HARRIER_FROM_LIBCLANG(getNumArgTypes);
HARRIER_FROM_LIBCLANG(getNumDiagnostics);
HARRIER_FROM_LIBCLANG(getNumOverloadedDecls);
HARRIER_FROM_LIBCLANG(getOverloadedDecl);
HARRIER_FROM_LIBCLANG(getPointeeType);
HARRIER_FROM_LIBCLANG(getSpecializedCursorTemplate);
HARRIER_FROM_LIBCLANG(getTranslationUnitCursor);
HARRIER_FROM_LIBCLANG(getTypeDeclaration);
HARRIER_FROM_LIBCLANG(getTypeSpelling);
HARRIER_FROM_LIBCLANG(getUnqualifiedType);
HARRIER_FROM_LIBCLANG(hashCursor);
HARRIER_FROM_LIBCLANG(isConstQualifiedType);
HARRIER_FROM_LIBCLANG(isExpression);
HARRIER_FROM_LIBCLANG(isInvalid);
HARRIER_FROM_LIBCLANG(isStatement);
HARRIER_FROM_LIBCLANG(parseTranslationUnit2);
HARRIER_FROM_LIBCLANG(visitChildren);
#undef HARRIER_FROM_LIBCLANG

}  // namespace harrier::clang
