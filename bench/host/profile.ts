// Summarizes the CPU profiles written by processes of the service.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

type Profile = {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

const SHOWN = 30

/** Lists the functions and files with the most self time in each CPU profile. */
export async function profileSummary(directory: string, name: string): Promise<string> {
  const files = (await readdir(directory)).filter(file => file.startsWith(name)).sort()
  const summaries = await Promise.all(
    files.map(
      async file => `${file}\n${summaryOf(JSON.parse(await readFile(join(directory, file), 'utf8')))}`,
    ),
  )
  return summaries.join('\n')
}

function summaryOf({ nodes, samples, timeDeltas }: Profile): string {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const functions = new Map<string, number>()
  const places = new Map<string, number>()
  let busy = 0
  samples.forEach((id, sample) => {
    const frame = frames.get(id)
    if (!frame || frame.functionName === '(idle)') return
    const microseconds = timeDeltas[sample] ?? 0
    const place = placeOf(frame.url)
    busy += microseconds
    add(places, place, microseconds)
    add(functions, `${frame.functionName || '(anonymous)'} ${place}:${frame.lineNumber + 1}`, microseconds)
  })
  const listed = (sums: Map<string, number>) =>
    [...sums]
      .sort(([, a], [, b]) => b - a)
      .slice(0, SHOWN)
      .map(([what, microseconds]) => `  ${((microseconds / busy) * 100).toFixed(1).padStart(5)} %  ${what}`)
      .join('\n')
  return `busy ${(busy / 1e6).toFixed(2)} s\nfunctions\n${listed(functions)}\nfiles and packages\n${listed(places)}\n`
}

const add = (sums: Map<string, number>, key: string, value: number): void =>
  void sums.set(key, (sums.get(key) ?? 0) + value)

/**
 * Translates a script URL in a CPU profile into the path of a source file of the service or the name of an npm
 * package.
 */
function placeOf(url: string): string {
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)
  if (inPackage) return inPackage[1] as string
  return /packages\/(.*)/.exec(url)?.[1] ?? (url || '(native)')
}
