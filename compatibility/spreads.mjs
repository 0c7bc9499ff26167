// Finds properties of spread objects that the target type does not have, for example `{ ...limits }` where `limits`
// uses an option's former name. TypeScript checks property names that are written directly, but not those added by a
// spread. A misnamed option in a spread would have no effect, without an error.
//
// The command `node compatibility/spreads.mjs <tsconfig.json>…` checks all files of the projects except tests. It
// checks only spreads of object literals, and of constants that contain an object literal. Other objects may have more
// properties on purpose.

import { relative } from 'node:path'
import ts from 'typescript'

/** A type with one of these flags accepts any property name, so unknown properties cannot be found in it. */
const OPEN = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter | ts.TypeFlags.NonPrimitive

const found = process.argv.slice(2).flatMap(unknownProperties)
for (const line of found) console.log(line)
process.exitCode = found.length > 0 ? 1 : 0

function unknownProperties(config) {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: ({ messageText }) => fail(messageText) }
  const options = { noEmit: true, composite: false, incremental: false }
  const parsed = ts.getParsedCommandLineOfConfigFile(config, options, host) ?? fail(`cannot read ${config}`)
  const program = ts.createProgram(parsed.fileNames, parsed.options)
  const checker = program.getTypeChecker()
  return program
    .getSourceFiles()
    .filter(file => !file.isDeclarationFile && !/node_modules|\.test\.tsx?$/.test(file.fileName))
    .flatMap(file => spreadsIn(file).flatMap(spread => unknownNames(checker, file, spread)))
}

function spreadsIn(node) {
  const spreads = ts.isSpreadAssignment(node) ? [node] : []
  ts.forEachChild(node, child => void spreads.push(...spreadsIn(child)))
  return spreads
}

function unknownNames(checker, file, spread) {
  const known = knownNames(checker, spread.parent)
  if (!known || !isLiteral(checker, spread.expression)) return []
  const { line } = file.getLineAndCharacterOfPosition(spread.getStart())
  return checker
    .getPropertiesOfType(checker.getTypeAtLocation(spread.expression))
    .filter(({ name }) => !known.has(name))
    .map(
      ({ name }) =>
        `${relative('.', file.fileName)}:${line + 1}: ${name} is none of ${[...known].join(', ')}; rename or remove it`,
    )
}

/**
 * Returns the property names that the object literal's type allows, or undefined if the type allows any
 * property name.
 */
function knownNames(checker, literal) {
  const expected = checker.getContextualType(literal)
  if (!expected) return undefined
  const type = checker.getNonNullableType(expected)
  const types = type.isUnion() ? type.types : [type]
  if (types.some(each => each.flags & OPEN || checker.getIndexInfosOfType(each).length > 0)) return undefined
  const names = types.flatMap(each => checker.getPropertiesOfType(each).map(({ name }) => name))
  return names.length > 0 ? new Set(names) : undefined
}

function isLiteral(checker, expression) {
  if (ts.isObjectLiteralExpression(expression)) return true
  const declaration = checker.getSymbolAtLocation(expression)?.valueDeclaration
  const value = declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined
  return (
    value !== undefined && ts.isObjectLiteralExpression(ts.isAsExpression(value) ? value.expression : value)
  )
}

function fail(reason) {
  throw new Error(reason)
}
