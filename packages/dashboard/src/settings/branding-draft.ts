// The branding as a user edits it in the form. An empty text means null (no value).

import { type LogoType, logoTypes, MAX_LOGO_BYTES } from '@gapura/server/branding-input'
import { contrastWithWhite, MIN_CONTRAST, shownRatio } from '@gapura/server/contrast'
import type { Inputs, Outputs } from '../api/trpc.ts'
import type { SentFault } from '../language/fault-texts.ts'

type Branding = Inputs['branding']['set']
export type Logo = NonNullable<Branding['logo']>
export type BrandingDraft = { display_name: string; color: string; logo: Logo | null }

export const draftOf = ({ display_name, color, logo }: Outputs['branding']['get']): BrandingDraft => ({
  display_name: display_name ?? '',
  color: color ?? '',
  logo: logo && { content_type: logo.content_type, data: logo.data },
})

export const brandingOf = ({ display_name, color, logo }: BrandingDraft): Branding => ({
  display_name: display_name.trim() || null,
  color: color.trim() || null,
  logo,
})

/** Returns the color that the user typed, or undefined if the text is not a complete color. */
export const colorIn = (typed: string): string | undefined =>
  /^#[0-9a-f]{6}$/i.test(typed.trim()) ? typed.trim().toLowerCase() : undefined

/** Returns a color's contrast with white, and whether white text on that color is legible. */
export function contrastOf(color: string): { ratio: number; isEnough: boolean } {
  const contrast = contrastWithWhite(color)
  return { ratio: shownRatio(contrast), isEnough: contrast >= MIN_CONTRAST }
}

type DraftFault = Pick<SentFault, 'id' | 'params'>

/**
 * Returns why the service would reject the typed color. Returns undefined if the service would accept the color, or
 * if the text is not a complete color yet.
 */
export function faultOfColor(typed: string): DraftFault | undefined {
  const color = colorIn(typed)
  if (color === undefined) return undefined
  const { ratio, isEnough } = contrastOf(color)
  return isEnough ? undefined : { id: 'color_too_light', params: { ratio, min: MIN_CONTRAST } }
}

/**
 * Checks the type and size of a logo file. Returns undefined if both are allowed, otherwise the error. The
 * service also checks the file's contents.
 */
export function faultOfFile({ type, size }: Pick<File, 'type' | 'size'>): DraftFault | undefined {
  if (!isLogoType(type)) return { id: 'logo_not_picture', params: {} }
  if (size > MAX_LOGO_BYTES) return { id: 'logo_too_heavy', params: { max: MAX_LOGO_BYTES / 1_000 } }
  return undefined
}

export const isLogoType = (type: string): type is LogoType => logoTypes.some(each => each === type)

/** Returns a URL that contains the image data, used to preview a logo before it is saved. */
export const dataUrl = ({ content_type, data }: Logo): string => `data:${content_type};base64,${data}`

/** Reads a logo file of the given type. */
export async function logoIn(file: File, content_type: LogoType): Promise<Logo> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return { content_type, data: btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join('')) }
}
