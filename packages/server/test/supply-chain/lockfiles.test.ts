// Tests that the installed packages are exactly the reviewed ones. Every package.json specifies exact versions.
// Each lockfile has the same versions, a hash for every package, and no download URLs.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../../../..')

type Dependencies = Record<string, string>
type Manifest = {
  dependencies?: Dependencies
  devDependencies?: Dependencies
  optionalDependencies?: Dependencies
}
type Locked = Record<string, { specifier: string; version: string }>
type Lockfile = {
  importers: Record<
    string,
    { dependencies?: Locked; devDependencies?: Locked; optionalDependencies?: Locked }
  >
  packages: Record<string, { resolution: Record<string, string> }>
}

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
/**
 * Matches a pinned dependency in a package.json:
 *
 * - an exact version (also in an `npm:` alias)
 * - a package in the same workspace
 * - a link to a package installed at the repository root
 */
const exact =
  /^(workspace:\*|link:\.\.\/node_modules\/[\w-]+|(npm:(@[\w-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?)$/

describe.each(['.', 'bench', 'compatibility', 'mutation'])(
  'the dependencies in the workspace %s are pinned',
  workspace => {
    const text = readFileSync(join(root, workspace, 'pnpm-lock.yaml'), 'utf8')
    const lockfile = parse(text) as Lockfile
    const folders = [
      '.',
      'faults',
      ...(workspace === '.' ? readdirSync(join(root, 'packages')).map(name => `packages/${name}`) : []),
    ].filter(folder => existsSync(join(root, workspace, folder, 'package.json')))
    const manifests = folders.map(folder => ({
      folder,
      manifest: JSON.parse(readFileSync(join(root, workspace, folder, 'package.json'), 'utf8')) as Manifest,
    }))

    test('every workspace dependency is pinned to one exact version', () => {
      const ranges = manifests.flatMap(({ folder, manifest }) =>
        kinds.flatMap(kind =>
          Object.entries(manifest[kind] ?? {})
            .filter(([, version]) => !exact.test(version))
            .map(([name, version]) => `${folder}: ${name} ${version}`),
        ),
      )
      expect(ranges).toEqual([])
    })

    test("the workspace's lockfile matches its package.json files", () => {
      const asked = manifests.map(({ folder, manifest }) => [
        folder,
        ...kinds.map(kind => manifest[kind] ?? {}),
      ])
      const locked = Object.entries(lockfile.importers).map(([folder, importer]) => [
        folder,
        ...kinds.map(kind =>
          Object.fromEntries(
            Object.entries(importer[kind] ?? {}).map(([name, { specifier }]) => [name, specifier]),
          ),
        ),
      ])
      expect(new Map(locked.map(each => [each[0], each]))).toEqual(
        new Map(asked.map(each => [each[0], each])),
      )
    })

    test('every package in the lockfile has an integrity hash and no custom source', () => {
      const packages = Object.entries(lockfile.packages)
      expect(packages.length).toBeGreaterThan(20)
      const unpinned = packages.filter(
        ([, { resolution }]) =>
          !/^sha512-[\w+/]{86}==$/.test(resolution.integrity ?? '') || Object.keys(resolution).length !== 1,
      )
      expect(unpinned.map(([name]) => name)).toEqual([])
      expect(text.match(/\b(https?|git|ssh|file):\/\/\S*|\btarball:/g) ?? []).toEqual([])
    })
  },
)
