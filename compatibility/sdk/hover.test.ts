// Tests the documentation that editors show for the SDK, as packed for npm. The texts come from TypeScript's language
// service, which editors use too.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, expect, test } from 'vitest'
import { newProject, tools } from './project.ts'

const HEAD = `import * as sdk from '@gapura/sdk'
import * as receiver from '@gapura/sdk/webhooks'
declare const gapura: sdk.Gapura
`
let project: string
beforeAll(async () => {
  project = await newProject('module', { 'hover.ts': HEAD })
})

type Names = { exports: string[]; members: string[] }

test('every call, option and type of the packed SDK has documentation on hover', () => {
  const { exports, members } = names()
  expect(members).toContain('gapura.payments.create')
  expect(members.length).toBeGreaterThan(80)
  expect(undocumented([...exports, ...members]).join('\n')).toBe('')
})

test("the check of the SDK's editor documentation reports a method that has no documentation", () => {
  const declarations = join(project, 'node_modules/@gapura/sdk/dist/esm/payments.d.ts')
  const text = readFileSync(declarations, 'utf8').replace(/\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s+(?=get\()/, '')
  expect(undocumented(['gapura.payments.get', 'gapura.payments.list'], { [declarations]: text })).toEqual([
    'gapura.payments.get',
  ])
})

/**
 * Returns a TypeScript expression for each name whose documentation in the editor is tested: the exported names, and
 * the members of the client and of the option types.
 */
function names(): Names {
  const { program, file } = serviceFor(HEAD)
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file) as ts.SourceFile
  const [sdk, receiver, gapura] = source.statements
  const exportsOf = (statement: ts.Statement | undefined) => {
    const { moduleSpecifier } = statement as ts.ImportDeclaration
    return checker.getExportsOfModule(checker.getSymbolAtLocation(moduleSpecifier) as ts.Symbol)
  }
  // Classes are left out, because some classes are exported only as types.
  const isValue = (symbol: ts.Symbol) =>
    (target(checker, symbol).flags & ts.SymbolFlags.Value) !== 0 &&
    (target(checker, symbol).flags & ts.SymbolFlags.Class) === 0
  const expressions = (space: string, symbols: ts.Symbol[]) =>
    // The namespace `webhooks` is left out, because TypeScript shows no documentation for it. The entry point
    // `@gapura/sdk/webhooks` exports the same functions, and their documentation is tested there.
    symbols
      .filter(({ name }) => name !== 'webhooks')
      .map(symbol => `${isValue(symbol) ? '' : 'type '}${space}.${symbol.name}`)
  const declared = (gapura as ts.VariableStatement).declarationList.declarations[0] as ts.VariableDeclaration
  const client = checker.getTypeAtLocation(declared)
  const members = publicOf(checker, client).flatMap(member => {
    const type = checker.getTypeOfSymbolAtLocation(member, declared)
    const own = type.symbol?.name.endsWith('Resource') ? publicOf(checker, type) : []
    return [`gapura.${member.name}`, ...own.map(each => `gapura.${member.name}.${each.name}`)]
  })
  const options = exportsOf(sdk).flatMap(symbol => {
    if (
      !/Options$|Details$|Fields$|Json$/.test(symbol.name) &&
      !(target(checker, symbol).flags & ts.SymbolFlags.Class)
    )
      return []
    const type = checker.getDeclaredTypeOfSymbol(target(checker, symbol))
    return ownOf(checker, type).map(
      each => `(null! as sdk.${symbol.name}${argumentsOf(symbol)}).${each.name}`,
    )
  })
  return {
    exports: [...expressions('sdk', exportsOf(sdk)), ...expressions('receiver', exportsOf(receiver))],
    members: [...members, ...options],
  }
}

const argumentsOf = ({ name }: ts.Symbol): string => (/Promise$/.test(name) ? '<unknown>' : '')

const target = (checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

/** Returns the public members that the SDK declares, without members inherited from `Error` and `Promise`. */
const ownOf = (checker: ts.TypeChecker, type: ts.Type): ts.Symbol[] =>
  publicOf(checker, type).filter(({ declarations = [] }) =>
    declarations.some(each => each.getSourceFile().fileName.includes('@gapura/sdk')),
  )

const publicOf = (checker: ts.TypeChecker, type: ts.Type): ts.Symbol[] =>
  checker.getPropertiesOfType(type).filter(({ name, declarations = [] }) => {
    const hidden = ts.ModifierFlags.Protected | ts.ModifierFlags.Private
    const isHidden = declarations.some(each => ts.getCombinedModifierFlags(each) & hidden)
    return !isHidden && /^\w+$/.test(name) && !overridden.has(name)
  })

/**
 * The members that the SDK's classes inherit from `Error` and `Promise`. They are not tested, because TypeScript's own
 * libraries document them.
 */
const overridden = new Set(['name', 'then', 'catch', 'finally'])

/**
 * Returns each expression whose last name has no documentation in an editor. The parameter `replaced` maps files to
 * other contents.
 */
function undocumented(expressions: string[], replaced: Record<string, string> = {}): string[] {
  let text = HEAD
  const positions = expressions.map((expression, index) => {
    const isType = expression.startsWith('type ')
    const name = isType ? expression.slice(5) : expression
    text += isType ? `type _${index} = ${name}` : `void (${name}`
    const position = text.length - 1
    text += isType ? '\n' : ')\n'
    return position
  })
  const { service, file } = serviceFor(text, replaced)
  return expressions.filter((_, index) => {
    const info = service.getQuickInfoAtPosition(file, positions[index] as number)
    return !info?.documentation?.some(part => part.text.trim() !== '')
  })
}

function serviceFor(text: string, replaced: Record<string, string> = {}) {
  const file = join(project, 'hover.ts')
  const contents = { ...replaced, [file]: text }
  const read = (name: string) => contents[name] ?? ts.sys.readFile(name)
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
    types: ['node'],
    typeRoots: [join(tools, '@types')],
    strict: true,
  }
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: name => {
      const content = read(name)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    readFile: read,
    getCurrentDirectory: () => project,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  })
  return { service, file, program: service.getProgram() as ts.Program }
}
