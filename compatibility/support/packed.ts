// Packs our packages as npm would publish them, and installs them as a user would. Packing and installing take a long
// time, so a test run does both only once, and each test gets a copy (installed-project.ts).

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * The projects to install, with the packages for each. If one of our packages needs another, npm installs both from
 * their tarballs.
 */
const projects = { sdk: ['sdk'], cli: ['sdk', 'cli'] } as const

export type Packed = {
  /** The path of each package's tarball (.tgz file). */
  tarballs: Record<'sdk' | 'cli', string>
  /** The path of the directory in which each test project is installed. */
  projects: Record<keyof typeof projects, string>
}

/** Packs the SDK and the CLI, and installs them in the test projects. */
export async function packAndInstall(): Promise<Packed & { remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'gapura-packed-'))
  const pack = join(import.meta.dirname, '../../scripts/pack.mjs')
  await run('node', [pack, directory, 'sdk', 'cli'])
  const tarballs = { sdk: join(directory, 'sdk.tgz'), cli: join(directory, 'cli.tgz') }
  const install = async (name: keyof typeof projects) => {
    const project = join(directory, name)
    await mkdir(project)
    await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'shop', private: true }))
    const quiet = ['--no-audit', '--no-fund', '--no-update-notifier']
    await run('npm', ['install', ...quiet, ...projects[name].map(each => tarballs[each])], { cwd: project })
    return project
  }
  const [sdk, cli] = await Promise.all([install('sdk'), install('cli')])
  return {
    tarballs,
    projects: { sdk, cli },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}
