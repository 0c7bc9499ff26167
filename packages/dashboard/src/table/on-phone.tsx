import type { ReactNode } from 'react'
import classes from './on-phone.module.css'

/** On a phone, shows content below a cell's value, because the content's own column is hidden there. */
export const OnPhone = ({ children }: { children: ReactNode }) => (
  <div className={classes.onPhone}>{children}</div>
)
