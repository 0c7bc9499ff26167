import { fault } from '../faults/fault.ts'
import type { Branding, Logo } from './branding.ts'
import { type BrandingInput, MAX_LOGO_BYTES, MAX_LOGO_PIXELS } from './branding-input.ts'
import { contrastWithWhite, MIN_CONTRAST, shownRatio } from './contrast.ts'
import { pictureTypeOf, readPicture } from './picture.ts'

/**
 * Checks the rules for branding that the input schema cannot express: the color's contrast and the logo's
 * content.
 */
export function readBrandingInput({ display_name: displayName, color, logo }: BrandingInput): Branding {
  const contrast = color === null ? Number.POSITIVE_INFINITY : contrastWithWhite(color)
  if (contrast < MIN_CONTRAST)
    throw fault('color_too_light', { ratio: shownRatio(contrast), min: MIN_CONTRAST }, { field: 'color' })
  return { displayName, color, logo: logo && readLogo(logo) }
}

function readLogo({ content_type: type, data }: NonNullable<BrandingInput['logo']>): Logo {
  const file = Buffer.from(data, 'base64')
  const field = 'logo.data'
  if (file.length > MAX_LOGO_BYTES) throw fault('logo_too_heavy', { max: MAX_LOGO_BYTES / 1_000 }, { field })
  const found = pictureTypeOf(file)
  if (!found) throw fault('logo_not_picture', {}, { field })
  if (found !== type)
    throw fault('logo_type_differs', { declared: type, found }, { field: 'logo.content_type' })
  const picture = readPicture(type, file)
  if (!picture) throw fault('logo_damaged', {}, { field })
  const { width, height, isAnimated } = picture
  if (isAnimated) throw fault('logo_animated', {}, { field })
  if (width > MAX_LOGO_PIXELS || height > MAX_LOGO_PIXELS)
    throw fault('logo_too_large', { width, height, max: MAX_LOGO_PIXELS }, { field })
  return { type, data: file, width, height }
}
