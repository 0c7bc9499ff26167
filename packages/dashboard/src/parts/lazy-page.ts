import { lazyRouteComponent } from '@tanstack/react-router'

/**
 * Loads a page from a separate script. If a fetch fails, the router recognizes the error by its message and would
 * reload the document, even while the service is unavailable. The message is therefore replaced, and FailedPage
 * decides whether to reload.
 */
export const lazyPage: typeof lazyRouteComponent = (importer, exportName) =>
  lazyRouteComponent(
    () =>
      importer().catch((error: unknown) => {
        throw new Error(`page not loaded: ${error}`)
      }),
    exportName,
  )
