/**
 * What the buttons, links and texts of stores say, in English, German, French, Spanish, Italian,
 * Dutch, Portuguese and Swedish. Each is matched against a name in lower case.
 */
const anyOf = (...patterns: string[]) => new RegExp(patterns.join('|'), 'u')
/** The whole name is one of these, apart from signs and numbers around it. */
const only = (...patterns: string[]) =>
  new RegExp(`^[^\\p{L}]*(?:${patterns.join('|')})[^\\p{L}]*$`, 'u')

export const BASKET_LINK = only(
  '(?:view |go to |see |my |your |shopping |open |show )*(?:cart|basket|bag|trolley)(?:[ ,:(]+(?:\\d+ )?(?:items?|products?|articles?)?[ )]*)?',
  '(?:zum |zur |mein |warenkorb |einkaufswagen )*(?:warenkorb|einkaufswagen|einkaufstasche)(?: (?:anzeigen|ansehen|artikel))*',
  '(?:voir |mon |le |votre )*panier',
  '(?:ver |mi |el |la )*(?:carrito|cesta|bolsa)',
  '(?:vedi |vai al |il |visualizza )*carrello',
  '(?:bekijk |mijn |je )*(?:winkelwagen|winkelmand|winkelmandje)',
  '(?:ver |o |meu )*(?:carrinho|sacola)',
  '(?:visa |till )*(?:varukorg|varukorgen|kundvagn)',
)

/** The place where a basket is, in an address or a heading. */
export const BASKET_PLACE =
  /(?:^|[^\p{L}])(?:cart|basket|bag|warenkorb|panier|carrito|cesta|carrello|winkelwagen|carrinho|varukorg)(?:$|[^\p{L}])/u

export const EMPTY_BASKET =
  /(?:cart|basket|bag) is (?:currently )?empty|(?:warenkorb|einkaufswagen) ist (?:derzeit |noch )?leer|panier est (?:actuellement )?vide|(?:carrito|cesta) est[aá] vac[ií]|carrello è vuoto|winkel(?:wagen|mand|mandje) is (?:momenteel )?leeg|carrinho está vazio|varukorg(?:en)? är tom|nothing in (?:your|the) (?:cart|basket|bag)/u

export const TO_CHECKOUT = anyOf(
  '^(?:(?:proceed|continue|go) to )?(?:secure )?check ?out(?: now| securely)?[^\\p{L}]*$',
  '^(?:zur |weiter zur )?kasse(?: gehen)?$',
  '^zur kasse',
  '^(?:passer|procéder|valider|finaliser) (?:(?:à|la|ma|au) )*(?:la )?(?:commande|caisse|paiement|panier)$',
  '^(?:finalizar|tramitar|realizar|proceder) (?:(?:la|el|con|al|a) )*(?:compra|pedido|pago)$',
  "^(?:vai|procedi|passa) (?:alla cassa|al checkout|all[’']acquisto|con l[’']ordine)",
  '^(?:naar (?:de )?kassa|afrekenen|verder naar afrekenen|doorgaan naar afrekenen)',
  '^(?:finalizar compra|ir para o checkout)$',
  '^(?:till|gå till) kassan',
)

export const GUEST = anyOf(
  '(?:as|as a) guest',
  '^guest(?: checkout)?$',
  'without (?:an )?account',
  'als gast',
  'ohne (?:kunden)?konto',
  "en tant qu[’']invité|comme invité|sans (?:créer de )?compte",
  'como invitado|sin (?:crear )?cuenta',
  'come ospite|senza (?:account|registr)',
  'als gast|zonder account',
  'como convidado|som gäst',
)

/** Goes on in a checkout, and never pays. */
export const CONTINUE = anyOf(
  '^(?:save and )?(?:continue|next|proceed)(?: (?:to|with) (?:the )?(?:delivery|shipping|payment|review|address|next step)(?: (?:method|options?|address))?| step)?[^\\p{L}]*$',
  '^save(?: and (?:continue|update the total))?$',
  '^(?:update|calculate)(?: the)? totals?$',
  '^(?:weiter|fortfahren|speichern und weiter)(?: (?:zur?m?) (?:versand|zahlung|lieferung|bezahlung|adresse|übersicht)\\p{L}*)?$',
  '^(?:continuer|suivant|étape suivante)(?: (?:vers|à|pour) .{1,30})?$',
  '^(?:continuar|siguiente)(?: (?:con|a) .{1,30})?$',
  '^(?:continua|avanti|prosegui)(?: .{1,30})?$',
  '^(?:doorgaan|volgende|verder)(?: naar .{1,30})?$',
  '^(?:continuar|próximo|avançar)$',
  '^(?:fortsätt|nästa)(?: till .{1,30})?$',
)

/** Orders or pays: it is found, and never pressed. */
export const PAY = anyOf(
  '^(?:pay|place (?:my |your )?order|complete (?:my |your |the )?(?:order|purchase)|submit order|buy now|confirm (?:and pay|order|purchase|payment)|order now|review and pay|pay (?:now|securely|by|with).*)',
  '^(?:jetzt |kostenpflichtig |zahlungspflichtig |verbindlich )+(?:kaufen|bestellen|bezahlen)|^(?:bestellung abschicken|bezahlen)$',
  '^(?:payer|commander|passer la commande|confirmer (?:la|ma) commande|valider et payer)',
  '^(?:pagar|realizar (?:el )?pedido|confirmar (?:el )?(?:pedido|pago|compra))',
  '^(?:paga|effettua ordine|invia ordine|conferma (?:ordine|acquisto|e paga)|acquista ora)',
  '^(?:betalen|nu betalen|bestelling plaatsen|bestellen en betalen)',
  '^(?:pagar|finalizar pedido)|^(?:betala|slutför köp|lägg beställning)',
)

export const QUANTITY = only(
  '(?:product |item )?(?:quantity|qty|amount)(?:[ :].*)?',
  '.*\\bquantity\\b.*',
  'menge|anzahl|stückzahl',
  'quantité|cantidad|quantità|aantal|hoeveelheid|quantidade|antal',
  '.*(?:menge|anzahl|quantité|cantidad|quantità|aantal)',
)

export const REMOVE =
  /^(?:remove|delete|entfernen|löschen|supprimer|retirer|eliminar|quitar|rimuovi|elimina|verwijder|remover|ta bort)(?!\p{L})|^[×✕✖]$/u

/** The first entry of a list, that asks to choose. */
export const PLACEHOLDER =
  /^$|^[-–—\s]+$|^(?:[-–—\s]*)(?:please )?(?:choose|select|pick|(?:bitte )?(?:wähl|auswähl)|option (?:wählen|auswählen)|choisi|sélectionn|elij|elig|seleccion|scegli|selezion|kies|maak een keuze|escolh|välj)/u

export const ASKS_CHOICE =
  /(?:please )?(?:choose|select) (?:an? |the |your |some )?(?:option|size|colou?r|variant|product options)|bitte .{0,20}(?:wählen|auswählen)|choisi(?:r|ssez) .{0,20}(?:option|taille|couleur)|seleccion[ea] .{0,20}(?:opci|talla|color)/u

/** A text that names an option of which a variant is chosen. */
export const OPTION_LABEL =
  /^(?:(?:please )?(?:choose|select|pick)(?: .{1,30})?|(?:size|colou?r|style|material|variant|option|length|width|flavou?r|scent|model|finish|größe|farbe|variante|ausführung|taille|couleur|pointure|talla|tamaño|taglia|colore|misura|maat|kleur|tamanho|cor|storlek|färg)s?)[:*\s]*$/u

/** The whole name of a button behind which a choice stands. */
export const CHOOSE = only(
  'choose|select|change|pick',
  'wählen|auswählen|ändern',
  'choisir|sélectionner|modifier',
  'elegir|seleccionar|cambiar',
  'scegli|seleziona|modifica',
  'kies|kiezen|wijzigen',
  'escolher|selecionar|välj',
)

export const OF_SHIPPING =
  /shipping|delivery|versand|lieferung|livraison|expédition|env[ií]o|entrega|spedizione|consegna|verzend|bezorg|frete|leverans|frakt/u

/** Ways of paying that ask for nothing now. */
export const OFFLINE =
  /cash|on delivery|transfer|cheque|check\b|invoice|manual|nachnahme|überweisung|vorkasse|rechnung|virement|chèque|livraison|transferencia|contra ?reembolso|bonifico|contrassegno|overschrijving|rembours|factuur|boleto|faktura/u

/** Of a box that agrees to terms. */
export const TERMS =
  /\b(?:terms|conditions)\b|\bagb\b|nutzungsbedingungen|\bcgv\b|conditions générales|términos|condiciones|termini|condizioni|voorwaarden|termos|villkor/u

export const REFUSE_COOKIES =
  /^(?:reject|decline|deny|refuse)(?: (?:all|non-essential|optional|additional|cookies|all cookies|optional cookies))*$|^(?:only|accept only|use|allow)? ?(?:strictly )?(?:necessary|essential)(?: cookies)?(?: only)?$|^(?:alle |alles )?(?:ablehnen|weigeren)$|^nur (?:notwendige|essenzielle|erforderliche)(?: cookies)?(?: (?:akzeptieren|zulassen|erlauben))?$|^(?:tout refuser|refuser|continuer sans accepter)$|^rechazar(?: tod[ao]s?)?(?: .{0,12})?$|^rifiuta(?: tutt[oi])?$|^(?:alleen noodzakelijke?|recusar|neka)(?: .{0,12})?$/u
export const ACCEPT_COOKIES =
  /^(?:accept|allow|agree|i agree|got it|ok|okay|i understand)(?: (?:all|and continue|to all|cookies|all cookies))*$|^(?:alle )?(?:akzeptieren|zustimmen|erlauben|annehmen)$|^alle(?: cookies)? (?:akzeptieren|zulassen)$|^(?:tout accepter|accepter|j[’']accepte)(?: .{0,15})?$|^(?:aceptar|acepto)(?: .{0,15})?$|^accett[ao](?: .{0,15})?$|^(?:accepteren|alles accepteren|akkoord|aceitar(?: .{0,10})?|godkänn(?: alla)?|acceptera(?: alla)?)$/u
export const OF_COOKIES = /cookie|consent|datenschutz|privacy|rgpd|gdpr|privatsphäre/u

export const CLOSE =
  /^(?:close|dismiss|no,? thanks?|not now|maybe later|skip|schließen|nein,? danke|fermer|non,? merci|cerrar|no,? gracias|chiudi|no,? grazie|sluiten|nee,? bedankt|fechar|stäng)(?!\p{L})|^[×✕✖x]$/u

export const AGE =
  /are you (?:over |at least |of legal |above )?(?:18|21|\d\d|drinking|legal|age|old enough)|(?:verify|confirm) your age|age verification|must be (?:at least |over )?(?:18|21)|(?:bist du|sind sie) (?:über|mindestens|schon) ?(?:16|18)|altersverifikation|volljährig|(?:avez-vous|êtes-vous).{0,20}(?:18 ans|majeur)|¿?(?:eres|tienes).{0,20}(?:mayor|18)|maggiorenne|18 jaar of ouder/u
export const CAPTCHA =
  /captcha|not a robot|are (?:you )?(?:a )?human|verify you are|security check|kein roboter|pas un robot|no soy un robot|non sono un robot|geen robot/u
export const ACCOUNT =
  /(?:log ?in|sign ?in|register|create (?:an )?account)|anmelden|einloggen|registrieren|kundenkonto|se connecter|connexion|créer un compte|iniciar sesión|crear (?:una )?cuenta|accedi|registrati|inloggen|account aanmaken|entrar|logga in/u

/** Marks around a payment, whose choices are left as they are. */
export const OF_PAYMENT =
  /\bpay|card|credit|zahl|karte|paiement|carte|pago|tarjeta|pagament|betaal|paypal|klarna|bank/u
/** Marks a price without tax. */
export const OF_NET =
  /\bex(?:cl?)?\.? ?(?:tax|vat|gst)|excluding (?:tax|vat|gst)|before tax|netto|ohne mwst|zzgl\.? mwst|\bht\b|hors taxe|sin (?:iva|impuestos)|senza iva|iva esclusa|excl\.? btw|sem imposto|exkl\.? moms/u
export const OF_TOTAL = /total|summe|gesamt|montant|importe|totale|totaal|summa/u
