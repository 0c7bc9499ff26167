import { TextLink } from '../parts/links.tsx'
import { TenantName } from './tenant-name.tsx'

/** A link to the page for the tenant with this ID. */
export const TenantLink = ({ id }: { id: string }) => (
  <TextLink to="/tenants/$tenantId" params={{ tenantId: id }} inherit>
    <TenantName id={id} />
  </TextLink>
)
