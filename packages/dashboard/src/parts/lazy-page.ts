import { lazyRouteComponent } from '@tanstack/react-router'

/**
 * A page in a script of its own. The router would load the whole document again where the script cannot be fetched, also
 * while the service is away and there is none: FailedPage decides that, and the router does not know it by these words.
 */
export const lazyPage: typeof lazyRouteComponent = (importer, exportName) =>
  lazyRouteComponent(
    () =>
      importer().catch((error: unknown) => {
        throw new Error(`page not loaded: ${error}`)
      }),
    exportName,
  )
