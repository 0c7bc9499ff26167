// Limits how far V8's heap grows beyond the memory that the objects of the service need, and how much garbage reaches
// the old generation.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * The growth of the heap, in percent, after which the next full garbage collection starts. By default, V8
 * lets a heap of 40 MB grow beyond 150 MB under load.
 */
const GROWTH_PERCENT = 40

/**
 * Prevents V8 from creating new objects directly in the old generation. V8 does this for lines of code that created
 * long-lived objects during startup. If it chooses an object of a request, everything that this object refers to also
 * stays in memory until the next full garbage collection. About a quarter of all starts then needed half as much CPU
 * time again per request (docs/performance.md).
 */
const KEEP_NEW_OBJECTS_YOUNG = '--no-allocation-site-pretenuring'

/**
 * Configures V8's heap, and frees memory after startup. Call it when all modules are loaded; it takes about 50 ms.
 * Loading the modules leaves garbage and an oversized young generation (the heap's area for new objects), which V8
 * would not free by itself. A garbage collection of the flavor `last-resort` returns this memory to the system.
 */
export function trimHeap(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
  setFlagsFromString(KEEP_NEW_OBJECTS_YOUNG)
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
