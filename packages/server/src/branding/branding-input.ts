// The schema of a tenant's branding. The form in the browser uses the same schema, so this file must not import
// server-only modules (test/architecture.test.ts).

import { z } from 'zod'
import { rule } from '../faults/rule.ts'
import { notBlank, text } from '../values/text.ts'

/** The media types that a logo can have. SVG is not among them, because an SVG file can contain scripts. */
export const logoTypes = ['image/png', 'image/jpeg', 'image/webp'] as const
export type LogoType = (typeof logoTypes)[number]

/** The maximum size of a logo in bytes: 100 kB. */
export const MAX_LOGO_BYTES = 100_000
/** The maximum width and height of a logo in pixels. */
export const MAX_LOGO_PIXELS = 1_024

const tooHeavy = rule('logo_too_heavy', { max: MAX_LOGO_BYTES / 1_000 })
/**
 * Matches base64 with padding. The schema has a pattern and no format, so that generated API clients send
 * the text unchanged.
 */
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/
/** Returns the length of the padded base64 text for a number of bytes. */
const sizeInBase64 = (bytes: number): number => Math.ceil(bytes / 3) * 4

export const brandingInput = z.object({
  display_name: text(60)
    .min(1)
    .nullable()
    .meta({
      ...notBlank,
      description: 'The name that payers see. If null, payers see the name of the tenant',
      example: 'Toko Budi',
    }),
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, rule('color_malformed'))
    .toLowerCase()
    .nullable()
    .meta({
      description:
        'Background color of the name that payers see; the name itself is white. The contrast with white must be at least 4.5:1. If null, the background is a neutral color',
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
    .meta({ description: 'The logo, which is shown on a white background. If null, there is no logo' }),
})
export type BrandingInput = z.output<typeof brandingInput>
