import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import { version } from '../version.ts'

/**
 * Registers Node's default metrics (memory, CPU, garbage collection, event loop delay) and a build information
 * metric. Call it once per process.
 */
export function observeProcess(registry: Registry, role: string): void {
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'gapura_build_info',
    help: 'Always 1; the labels describe the process',
    labelNames: ['version', 'node', 'role'] as const,
    registers: [registry],
  }).set({ version, node: process.version, role }, 1)
}
