// CPU time and memory of processes, from /proc.

import { readdir, readFile } from 'node:fs/promises'

/** Linux tells CPU time in hundredths of a second, whatever its clock really ticks. */
const TICKS = 100

/** In seconds, its ended children included. */
export async function cpuOf(pid: number): Promise<number> {
  const [, , , , , , , , , , , utime, stime, cutime, cstime] = await statOf(pid)
  return (Number(utime) + Number(stime) + Number(cutime) + Number(cstime)) / TICKS
}

/** With the children that live. */
export async function cpuOfTree(pid: number): Promise<number> {
  let sum = await cpuOf(pid)
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const [, parent] = await statOf(Number(name))
      if (Number(parent) === pid) sum += await cpuOf(Number(name))
    } catch {
      // It ended in between; its parent has its time.
    }
  }
  return sum
}

/** Resident now, and the most it ever was; in megabytes of 10^6 bytes. */
export async function memoryOf(pid: number): Promise<{ nowMb: number; peakMb: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) => (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024) / 1e6
  return { nowMb: field('VmRSS'), peakMb: field('VmHWM') }
}

/** The fields from the third on: state, ppid, …; the second is a name that may contain anything. */
async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
