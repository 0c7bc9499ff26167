// Reads the CPU time and memory of processes from /proc.

import { readdir, readFile } from 'node:fs/promises'

/**
 * The unit of CPU times in /proc is a hundredth of a second. Linux reports CPU time in this unit regardless
 * of the kernel's actual clock rate.
 */
const TICKS = 100

/** Returns the process's CPU time in seconds, including that of children that have exited. */
export async function cpuOf(pid: number): Promise<number> {
  const [, , , , , , , , , , , utime, stime, cutime, cstime] = await statOf(pid)
  return (Number(utime) + Number(stime) + Number(cutime) + Number(cstime)) / TICKS
}

/** Returns the CPU time in seconds of the process and all its children, including running children. */
export async function cpuOfTree(pid: number): Promise<number> {
  let sum = await cpuOf(pid)
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const [, parent] = await statOf(Number(name))
      if (Number(parent) === pid) sum += await cpuOf(Number(name))
    } catch {
      // The process has exited in the meantime, so it is skipped. Linux adds the CPU time of an exited
      // process to that of its parent.
    }
  }
  return sum
}

/** Returns the process's current and peak resident memory, in megabytes of 10^6 bytes. */
export async function memoryOf(pid: number): Promise<{ nowMb: number; peakMb: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) => (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024) / 1e6
  return { nowMb: field('VmRSS'), peakMb: field('VmHWM') }
}

/**
 * Returns the fields of /proc/<pid>/stat from the third on, such as the process's state. The second field is
 * skipped because it is a name that may contain any character.
 */
async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
