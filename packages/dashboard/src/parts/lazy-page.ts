import { lazyRouteComponent } from '@tanstack/react-router'

/**
 * Loads a page from a separate script. The router recognizes a failed fetch by its error message, and would reload
 * the document even while the service is unavailable. The error therefore gets a different message, so that
 * FailedPage decides whether to reload.
 */
export const lazyPage: typeof lazyRouteComponent = (importer, exportName) =>
  lazyRouteComponent(
    () =>
      importer().catch((error: unknown) => {
        throw new Error(`page not loaded: ${error}`)
      }),
    exportName,
  )
