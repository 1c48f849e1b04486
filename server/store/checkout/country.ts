import { countryCodes, isCountry } from '../../../shared/commerce/iso.ts'

// Data: ISO 3166-1, each alpha-2 code with its alpha-3 code.
const ALPHA_3: ReadonlyMap<string, string> = new Map(
  (
    'ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW ' +
    'AXALA AZAZE BABIH BBBRB BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN ' +
    'BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG ' +
    'CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE ' +
    'DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN ' +
    'FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL ' +
    'GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV ' +
    'HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM ' +
    'JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO ' +
    'LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE ' +
    'MFMAF MGMDG MHMHL MKMKD MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS ' +
    'MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL ' +
    'NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM PNPCN PRPRI ' +
    'PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN ' +
    'SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV ' +
    'SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON ' +
    'TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN ' +
    'VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE'
  )
    .split(' ')
    .map((codes) => [codes.slice(2), codes.slice(0, 2)]),
)

// Data: English names of ISO 3166-1, and common names, that differ from `Intl` (CLDR). Congo alone
// is ambiguous: two countries have it.
const OTHER_NAMES = `
BN Brunei Darussalam
BQ Bonaire, Sint Eustatius and Saba
CD Congo, Democratic Republic of the
CD Democratic Republic of the Congo
CG Republic of the Congo
CI Ivory Coast
CN People's Republic of China
CZ Czech Republic
FM Micronesia, Federated States of
GB Great Britain
GS South Georgia and the South Sandwich Islands
IR Iran, Islamic Republic of
KP Korea, Democratic People's Republic of
KR Korea, Republic of
KR Republic of Korea
LA Lao People's Democratic Republic
MD Moldova, Republic of
MF Saint Martin (French part)
MK Republic of North Macedonia
NL Netherlands, Kingdom of the
PS Palestine, State of
RU Russian Federation
SH Saint Helena, Ascension and Tristan da Cunha
SX Sint Maarten (Dutch part)
SY Syrian Arab Republic
TR Turkey
TW Taiwan, Province of China
TZ Tanzania, United Republic of
UM United States Minor Outlying Islands
US United States of America
VA Holy See
VG Virgin Islands (British)
VI Virgin Islands (U.S.)
`

const STYLES = ['long', 'short'] as const
const BY_NAME: ReadonlyMap<string, string> = new Map([
  ...STYLES.flatMap((style) => {
    const names = new Intl.DisplayNames('en', { type: 'region', style })
    return countryCodes().map((code) => [folded(names.of(code) ?? code), code] as const)
  }),
  ...OTHER_NAMES.trim()
    .split('\n')
    .map((line) => [folded(line.slice(3)), line.slice(0, 2)] as const),
])

/**
 * A name without the parts that are spelled in several ways: case, accents, `the`, `&` and `St.`.
 */
function folded(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/\bsaint\b/g, 'st')
    .replace(/\bthe\b|[^\p{L}\p{N}]/gu, '')
}

/**
 * The alpha-2 code of a country, which UCP recommends and does not demand: "a 3-letter ISO 3166-1
 * alpha-3 country code such as "SGP" or a full country name such as "Singapore" can also be used"
 * (postal_address.json). Unknown text, and names in other languages, stay unchanged.
 */
export function alpha2Of(text: string): string {
  const code = text.toUpperCase().replaceAll('.', '')
  return isCountry(code) ? code : (ALPHA_3.get(code) ?? BY_NAME.get(folded(text)) ?? text)
}
