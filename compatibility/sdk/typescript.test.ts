import { join } from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { expectPaid, newProject, programs, run, tools, write } from './project.ts'

const compilers = [
  { version: '5.9', tsc: join(tools, 'typescript-5/bin/tsc') },
  { version: '6.0', tsc: join(tools, 'typescript/bin/tsc') },
  { version: '7.0', tsc: join(tools, '../../node_modules/typescript/bin/tsc') },
]

/**
 * The strictest settings of the TypeScript compiler. Because `skipLibCheck` is off, the compiler also checks
 * the SDK's type declarations.
 */
const strict = {
  target: 'es2022',
  lib: ['es2022'],
  types: ['node'],
  typeRoots: [join(tools, '@types')],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  isolatedModules: true,
  skipLibCheck: false,
  // TypeScript's own libraries do not need to be checked.
  skipDefaultLibCheck: true,
}

const nodenext = { ...strict, module: 'nodenext', moduleResolution: 'nodenext' }
const bundler = { ...strict, module: 'esnext', moduleResolution: 'bundler' }
/** The compiler settings for a web page: they include the browser's DOM types, but not Node's types. */
const page = { ...bundler, lib: ['es2022', 'dom'], types: [], noEmit: true }

let esm: string
let cjs: string

beforeAll(async () => {
  esm = await newProject('module', await programs('ts'))
  cjs = await newProject('commonjs', await programs('ts'))
})

describe.each(compilers)('TypeScript $version', ({ version, tsc }) => {
  const compile = async (project: string, compilerOptions: object, files = ['main.ts']) => {
    const settings = `tsconfig.${version}.json`
    const outDir = `out-${version}`
    await write(project, {
      [settings]: JSON.stringify({ compilerOptions: { ...compilerOptions, outDir }, files }),
    })
    await run(process.execPath, [tsc, '-p', settings], { cwd: project })
    return join(outDir, 'main.js')
  }

  test('with the setting nodenext, an ESM project with the SDK compiles, and a wrong method_detail is a type error', async () => {
    await expectPaid(process.execPath, [await compile(esm, nodenext, ['main.ts', 'types.ts'])], esm)
  })

  test('under nodenext, a CommonJS project with the SDK compiles and completes a payment', async () => {
    await expectPaid(process.execPath, [await compile(cjs, nodenext)], cjs)
  })

  test("a project with TypeScript's settings for bundlers compiles with the SDK, and the compiled program completes a payment", async () => {
    await expectPaid(process.execPath, [await compile(esm, bundler)], esm)
  })

  test("a web page with the SDK compiles without Node's types", async () => {
    await compile(esm, page, ['pay-and-verify.ts'])
  })
})
