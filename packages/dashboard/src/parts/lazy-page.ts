import { lazyRouteComponent } from '@tanstack/react-router'

/**
 * A page in its own script. If the script cannot be fetched, the router would reload the whole document, even while
 * the service is unavailable. Rewording the error prevents this, and FailedPage decides whether to reload.
 */
export const lazyPage: typeof lazyRouteComponent = (importer, exportName) =>
  lazyRouteComponent(
    () =>
      importer().catch((error: unknown) => {
        throw new Error(`page not loaded: ${error}`)
      }),
    exportName,
  )
