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
    help: 'Information about the process in the labels version, node and role; the value is always 1',
    labelNames: ['version', 'node', 'role'] as const,
    registers: [registry],
  }).set({ version, node: process.version, role }, 1)
}
