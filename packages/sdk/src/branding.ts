import type { ApiPromise } from './api-promise.ts'
import type { CallOptions } from './call.ts'
import { getBranding, setBranding } from './generated/operations.gen.ts'
import type { Branding, SetBrandingBody } from './generated/types.gen.ts'
import { Resource } from './resource.ts'

/** The merchant's name, color and logo shown to payers. */
export class BrandingResource extends Resource {
  /**
   * Returns the name, color and logo shown to payers. Fields that were never set are null.
   *
   * @example
   * const { display_name, color, logo } = await gapura.branding.get()
   */
  get(options?: CallOptions): ApiPromise<Branding> {
    return this.call.repeatable(getBranding, {}, options)
  }

  /**
   * Replaces the name, color and logo shown to payers. Null removes a field. Requires the `admin` permission.
   *
   * @example
   * const data = (await readFile('logo.png')).toString('base64')
   * await gapura.branding.set({
   *   display_name: 'Toko Budi',
   *   color: '#0f766e',
   *   logo: { content_type: 'image/png', data },
   * })
   *
   * @example
   * const { display_name, logo } = await gapura.branding.get()
   * await gapura.branding.set({ display_name, color: '#1d4ed8', logo })
   */
  set(body: SetBrandingBody, options?: CallOptions): ApiPromise<Branding> {
    return this.call.repeatable(setBranding, { body }, options)
  }
}
