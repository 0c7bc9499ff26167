import classes from './tag.module.css'

export type Tone = 'good' | 'waiting' | 'bad' | 'over' | 'doubt'

/** A status label. The status is always written as text, so users who cannot see the color miss nothing. */
export const Tag = ({ tone, children }: { tone: Tone; children: string }) => (
  <span className={classes.tag} data-tone={tone}>
    {children}
  </span>
)
