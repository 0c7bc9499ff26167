// Builds images and runs containers with podman, without a Docker daemon. All podman data is in one directory,
// which is removed at the end.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

export type Podman = {
  /** Runs a podman command and returns its output. If the command fails, the error contains the output. */
  run(args: string[]): Promise<string>
  /**
   * Runs a container as Kubernetes and Compose do: read-only except for /tmp, without capabilities or new
   * privileges.
   */
  start(name: string, image: string, env: Record<string, string>, command?: string[]): Container
  /**
   * Returns a command line that runs a container, passes standard input to it, and waits until it exits. The caller may
   * append a command for the container to run.
   */
  once(image: string, env: Record<string, string>, options?: string[]): string[]
  remove(): Promise<void>
}

export type Container = {
  /** Returns what the container has written to stdout and stderr so far. */
  output(): string
  /** Runs the image's HEALTHCHECK command. */
  isHealthy(): Promise<boolean>
  /** Resolves to the container's exit code. */
  exited: Promise<number | null>
  /** Sends SIGTERM to the container's first process and returns the exit code. */
  stop(): Promise<number | null>
}

const hardened = [
  '--read-only',
  '--read-only-tmpfs=false',
  '--tmpfs=/tmp:rw,size=64m,mode=1777',
  '--cap-drop=all',
  '--security-opt=no-new-privileges',
  // Sets the resource limits explicitly, because podman's default limits may be higher than the limits of
  // this machine.
  '--ulimit=nofile=1024:1024',
  '--ulimit=nproc=1000:1000',
  '--cgroups=disabled',
  '--network=host',
]

export async function openPodman(directory: string): Promise<Podman> {
  const dirs = {
    root: join(directory, 'store'),
    runroot: join(directory, 'run'),
    tmpdir: join(directory, 'tmp'),
  }
  for (const dir of Object.values(dirs)) await mkdir(dir)
  // The container runtime fails if both versions of cgroups are mounted. Version 2 is therefore unmounted; the
  // containers need no cgroups.
  const withoutCgroups = ['--mount', 'sh', '-c', 'umount /sys/fs/cgroup/unified 2>/dev/null; exec "$@"', 'sh']
  const podman = [
    ...withoutCgroups,
    'podman',
    ...Object.entries(dirs).map(([name, dir]) => `--${name}=${dir}`),
    '--storage-driver=overlay',
    '--cgroup-manager=cgroupfs',
    '--events-backend=none',
  ]
  const run = async (args: string[]) =>
    (await promisify(execFile)('unshare', [...podman, ...args], { maxBuffer: 64 * 1024 * 1024 })).stdout
  const runArgs = (image: string, env: Record<string, string>, options: string[]) => [
    'run',
    '--rm',
    ...hardened,
    ...options,
    ...Object.entries(env).map(([name, value]) => `--env=${name}=${value}`),
    image,
  ]
  return {
    run,
    start(name, image, env, command = []) {
      const args = [...podman, ...runArgs(image, env, [`--name=${name}`]), ...command]
      const child = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'] })
      return containerOf(child, () => run(['healthcheck', 'run', name]))
    },
    once: (image, env, options = []) => [
      'unshare',
      ...podman,
      ...runArgs(image, env, ['--interactive', ...options]),
    ],
    async remove() {
      await run(['image', 'rm', '--all', '--force'])
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function containerOf(child: ChildProcess, check: () => Promise<unknown>): Container {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      output += chunk
    })
  const exited = once(child, 'close').then(([code]) => code as number | null)
  return {
    output: () => output,
    exited,
    isHealthy: () =>
      check().then(
        () => true,
        () => false,
      ),
    stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}
