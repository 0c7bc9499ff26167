import { z } from 'zod'
import { logoPath, type StoredBranding } from './branding.ts'
import { logoTypes } from './branding-input.ts'

export const brandingView = z
  .object({
    display_name: z.string().nullable().meta({ example: 'Toko Budi' }),
    color: z.string().nullable().meta({ example: '#0f766e' }),
    logo: z
      .object({
        content_type: z.enum(logoTypes),
        data: z.string().meta({ description: 'The file in base64' }),
        width: z.int().meta({ description: 'Width in pixels' }),
        height: z.int().meta({ description: 'Height in pixels' }),
        url: z.url().meta({
          description:
            "The logo's public URL. It contains the file's hash, so a changed logo has another URL, and the old URL stops working",
        }),
      })
      .nullable(),
  })
  .meta({ id: 'Branding', description: "A tenant's name, color and logo as payers see them" })

export const viewBranding = (
  tenantId: string,
  publicUrl: string,
  { displayName, color, logo }: StoredBranding,
): z.output<typeof brandingView> => ({
  display_name: displayName,
  color,
  logo: logo && {
    content_type: logo.type,
    data: logo.data.toString('base64'),
    width: logo.width,
    height: logo.height,
    url: `${publicUrl}/${logoPath(tenantId, logo.sha256)}`,
  },
})
