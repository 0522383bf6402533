/** What the last complete proof of this version came to. Written by `npm run pin`. */
export const publishedPower = {
  rules: 197,
  rulesProven: 197,
  mandatory: 166,
  mandatoryProven: 166,
  mandatoryAlone: 147,
  mutants: 613,
  mutantsCaught: 613,
  variants: 145,
  alarms: 0,
};
