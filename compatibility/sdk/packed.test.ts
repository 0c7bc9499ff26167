import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { newProject, run, tools } from './project.ts'

const bin = (name: string) => join(tools, '.bin', name)
const tarball = inject('packed').tarballs.sdk
const here = { cwd: import.meta.dirname }

test('publint finds no problem in the SDK tarball', async () => {
  expect(await run(bin('publint'), ['run', '--strict', tarball], here)).toContain('All good!')
})

test("the tool attw finds no problem in the SDK's types in any module resolution mode", async () => {
  const output = await run(bin('attw'), ['--profile', 'strict', '--format', 'json', tarball], here)
  const { analysis, problems } = JSON.parse(output)
  expect(problems ?? {}).toEqual({})
  expect(Object.keys(analysis.entrypoints).sort()).toEqual(['.', './package.json', './webhooks'])
})

test('the SDK tarball contains only the two builds, the license, the README and the changelog', async () => {
  const files = (await run('tar', ['-tzf', tarball], here)).trim().split('\n')
  const builds = files.filter(file => /^package\/dist\/(esm|cjs)\/[\w./-]+\.(d\.ts|js)$/.test(file))
  expect(files.filter(file => !builds.includes(file)).sort()).toEqual([
    'package/CHANGELOG.md',
    'package/LICENSE',
    'package/README.md',
    'package/dist/cjs/package.json',
    'package/package.json',
    'package/webhooks/package.json',
  ])
  const of = (build: string) =>
    builds.filter(file => file.includes(`/${build}/`)).map(file => file.replace(`/${build}/`, '/'))
  expect(of('esm').sort()).toEqual(of('cjs').sort())
  expect(builds.filter(file => /\.test\./.test(file))).toEqual([])
})

test('the SDK package has no dependency, no install script and no side effects', async () => {
  const manifest = JSON.parse(await run('tar', ['-xzOf', tarball, 'package/package.json'], here))
  const { dependencies, peerDependencies, optionalDependencies, sideEffects, engines } = manifest
  expect({ ...dependencies, ...peerDependencies, ...optionalDependencies }).toEqual({})
  expect(Object.keys(manifest.scripts ?? {}).filter(name => /install|prepare/.test(name))).toEqual([])
  expect({ sideEffects, engines }).toEqual({ sideEffects: false, engines: { node: '>=20' } })
})

test("the SDK's two entry points can also be loaded by directory, without the exports in package.json", async () => {
  const cwd = await newProject('commonjs')
  const names = `[require('./node_modules/@gapura/sdk').Gapura, require('./node_modules/@gapura/sdk/webhooks').verify]`
  const script = `console.log(${names}.map(exported => exported.name).join())`
  expect((await run(process.execPath, ['-e', script], { cwd })).trim()).toBe('Gapura,verify')
})
