// The schema for a tenant's branding. Because the form in the browser uses the same schema, this file must not import
// modules that work only on the server (test/architecture.test.ts).

import { z } from 'zod'
import { rule } from '../faults/rule.ts'
import { notBlank, text } from '../values/text.ts'

/** The media types allowed for a logo. SVG is not allowed, because an SVG file can contain scripts. */
export const logoTypes = ['image/png', 'image/jpeg', 'image/webp'] as const
export type LogoType = (typeof logoTypes)[number]

/** A logo's maximum size in bytes: 100 kB. */
export const MAX_LOGO_BYTES = 100_000
/** A logo's maximum width and height in pixels. */
export const MAX_LOGO_PIXELS = 1_024

const tooHeavy = rule('logo_too_heavy', { max: MAX_LOGO_BYTES / 1_000 })
/**
 * Matches base64 with padding. The schema has this pattern instead of a format, so that generated API
 * clients send the text unchanged.
 */
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/
/** Returns the length of the padded base64 text that encodes a number of bytes. */
const sizeInBase64 = (bytes: number): number => Math.ceil(bytes / 3) * 4

export const brandingInput = z.object({
  display_name: text(60)
    .min(1)
    .nullable()
    .meta({
      ...notBlank,
      description: "The name shown to payers. If null, payers see the tenant's name",
      example: 'Toko Budi',
    }),
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, rule('color_malformed'))
    .toLowerCase()
    .nullable()
    .meta({
      description:
        'Background color behind the name shown to payers; the name itself is white. The contrast with white must be at least 4.5:1. If null, the background is a neutral color',
      example: '#0f766e',
    }),
  logo: z
    .object({
      content_type: z.enum(logoTypes).meta({ example: 'image/png' }),
      data: z
        .string()
        .max(sizeInBase64(MAX_LOGO_BYTES), tooHeavy)
        .regex(base64, rule('format_wrong', { format: 'base64' }))
        .meta({
          description: 'The file in base64. At most 100 kB and 1024 × 1024 pixels, and not animated',
        }),
    })
    .nullable()
    .meta({ description: 'The logo, shown on a white background. If null, there is no logo' }),
})
export type BrandingInput = z.output<typeof brandingInput>
