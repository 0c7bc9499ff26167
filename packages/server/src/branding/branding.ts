import type { LogoType } from './branding-input.ts'

/** How a tenant appears to payers. The database also enforces each field's rules. */
export type Branding = {
  /** The name shown to payers. If null, payers see the tenant's name. */
  displayName: string | null
  /** The background color behind the merchant's name, such as `#0f766e`. The name itself is shown in white. */
  color: string | null
  logo: Logo | null
}

export type Logo = { type: LogoType; data: Buffer; width: number; height: number }

/** A stored logo. Its hash is part of its URL, so a changed logo has another URL. */
export type StoredLogo = Logo & { sha256: string }
export type StoredBranding = Omit<Branding, 'logo'> & { logo: StoredLogo | null }

/** Returns the logo's path, relative to the public URL. Anyone can read the logo at this path. */
export const logoPath = (tenantId: string, sha256: string): string => `branding/${tenantId}/logo/${sha256}`
