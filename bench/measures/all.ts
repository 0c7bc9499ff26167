// Lists all benchmarks (measures) in the order of the results table.

import type { Measure } from '../measure.ts'
import { apply } from './apply.ts'
import { callbacks } from './callbacks.ts'
import { create } from './create.ts'
import { delay } from './delay.ts'
import { fairness } from './fairness.ts'
import { flood } from './flood.ts'
import { get } from './get.ts'
import { latency } from './latency.ts'
import { lone } from './lone.ts'
import { memory } from './memory.ts'
import { oneTenant } from './one-tenant.ts'
import { retention } from './retention.ts'
import { start } from './start.ts'
import { twoProcesses } from './two-processes.ts'
import { webhooks } from './webhooks.ts'
import { whole } from './whole.ts'

export const measures: readonly Measure[] = [
  whole,
  create,
  lone,
  get,
  callbacks,
  apply,
  oneTenant,
  webhooks,
  delay,
  fairness,
  flood,
  twoProcesses,
  retention,
  memory,
  start,
  latency,
]

/**
 * The benchmarks that also run on the large data set. They check that the service does not become slower as tables
 * grow.
 */
export const flat: readonly Measure[] = [create, get, callbacks, apply, oneTenant, webhooks, delay]
