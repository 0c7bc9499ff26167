// Limits how far V8's heap grows beyond the memory the service's objects need, and how much garbage reaches the old
// generation.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * How much the heap may grow, in percent, before the next full garbage collection starts. By default, V8 lets a
 * heap of 40 MB grow beyond 150 MB under load.
 */
const GROWTH_PERCENT = 40

/**
 * Prevents V8 from creating new objects directly in the old generation. V8 does this for lines of code that created
 * long-lived objects during startup. If V8 does it for a request's object, everything the object refers to stays in
 * memory until the next full garbage collection. In 3 of 15 starts, a request then needed 50 % more CPU time
 * (docs/performance.md).
 */
const KEEP_NEW_OBJECTS_YOUNG = '--no-allocation-site-pretenuring'

/**
 * Configures V8's heap, and frees memory after startup. Call it when all modules are loaded; it takes about
 * 50 ms. Loading leaves garbage and an oversized young generation (the area for new objects). V8 frees this
 * memory only after a garbage collection of the flavor `last-resort`.
 */
export function trimHeap(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
  setFlagsFromString(KEEP_NEW_OBJECTS_YOUNG)
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
