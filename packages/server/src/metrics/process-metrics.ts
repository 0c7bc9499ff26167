import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'

const manifest = join(import.meta.dirname, '../../package.json')

/**
 * Registers Node's default metrics (memory, CPU, garbage collection, event loop delay) and the build information.
 * Call it once per process.
 */
export function observeProcess(registry: Registry, role: string): void {
  collectDefaultMetrics({ register: registry })
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'))
  new Gauge({
    name: 'gapura_build_info',
    help: 'Always 1; the labels describe the process',
    labelNames: ['version', 'node', 'role'] as const,
    registers: [registry],
  }).set({ version, node: process.version, role }, 1)
}
