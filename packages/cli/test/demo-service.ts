import type { Demo } from '../../server/src/demo/demo.ts'
import { newPlace, removePlace, startService } from '../../server/test/support/service.ts'

/**
 * Starts the whole service, with its demo data and its provider sandbox. `stop` stops the service and deletes
 * its data.
 */
export async function startDemoService(): Promise<{ demo: Demo; stop(): Promise<void> }> {
  const place = await newPlace()
  const service = await startService(place)
  return {
    demo: service.demo,
    async stop() {
      await service.stop()
      await removePlace(place)
    },
  }
}
