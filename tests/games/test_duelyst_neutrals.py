"""Every other neutral card, played in a small scenario; and all cards that have no abilities but keywords."""

import pytest

from games.duelyst_positions import act, keywords_on, position, told, unit_on
from games.test_duelyst_factions import SCENES as FACTIONS
from games.test_duelyst_starters import SCENES as STARTERS
from plyglass.games.duelyst.cards import cards
from plyglass.games.duelyst.sentences import describe

# (what it is about, position, actions, what is then)
SCENES = [
    ("ephemeral_shroud", {"enemy": "primus_shieldmaster@c3", "hand": "ephemeral_shroud"}, "play ephemeral_shroud b3, choose c3", {"keywords c3": set()}),
    ("sun_seer", {"own": "general@a3-5 sun_seer@c3", "enemy": "whistling_blade@d3"}, "attack c3 d3", {"own": 22}),
    ("manaforger", {"own": "manaforger@b3", "hand": "true_strike phoenix_fire", "mana": 2, "enemy": "hailstone_golem@e3"}, "play true_strike e3, play phoenix_fire e3",
     {"e3": "hailstone_golem 4/1", "mana": 0}),
    ("prismatic_illusionist", {"own": "prismatic_illusionist@b3", "hand": "war_surge"}, "play war_surge", {"count illusion": 1}),
    ("alcuin_loremaster", {"hand": "war_surge alcuin_loremaster"}, "play war_surge, play alcuin_loremaster b3", {"hand": ["war_surge"]}),
    ("owlbeast_sage", {"own": "owlbeast_sage@b3 chakri_avatar@c3 hailstone_golem@d3", "hand": "ghost_lightning"}, "play ghost_lightning",
     {"b3": "owlbeast_sage 4/6", "c3": "chakri_avatar 2/5", "d3": "hailstone_golem 4/6"}),
    ("lightbender", {"own": "primus_shieldmaster@b2", "enemy": "primus_shieldmaster@c3", "hand": "lightbender"}, "play lightbender b3", {"keywords c3": set(), "keywords b2": set()}),
    ("wind_stopper", {"own": "widowmaker@b3", "enemy": "wind_stopper@h1"}, "attack b3 h1", {"h1": "wind_stopper 1/5"}),
    ("bluetip_scorpion", {"own": "bluetip_scorpion@b3", "enemy": "whistling_blade@c3"}, "attack b3 c3", {"c3": "whistling_blade 2/9", "b3": ""}),
    ("crimson_oculus", {"enemy": "crimson_oculus@e3", "hand": "hailstone_golem"}, "play hailstone_golem b3", {"e3": "crimson_oculus 3/4"}),
    ("venom_toth", {"enemy": "venom_toth@e3", "hand": "hailstone_golem"}, "play hailstone_golem b3", {"own": 24}),
    ("helm_of_mechaz0r", {"hand": "helm_of_mechaz0r"}, "play helm_of_mechaz0r b3", {"mech": 1, "b3": "helm_of_mechaz0r 2/2"}),
    ("wings_of_mechaz0r", {"hand": "wings_of_mechaz0r"}, "play wings_of_mechaz0r h5", {"mech": 1}),
    ("cannon_of_mechaz0r", {"hand": "cannon_of_mechaz0r"}, "play cannon_of_mechaz0r b3", {"mech": 1, "keywords b3": {"ranged"}}),
    ("sword_of_mechaz0r", {"hand": "sword_of_mechaz0r"}, "play sword_of_mechaz0r b3", {"mech": 1, "keywords b3": {"frenzy"}}),
    ("chassis_of_mechaz0r", {"hand": "chassis_of_mechaz0r"}, "play chassis_of_mechaz0r b3", {"mech": 1, "keywords b3": {"forcefield"}}),
    ("mechaz0r", {"hand": " ".join(["helm_of_mechaz0r"] * 5)}, "play helm_of_mechaz0r b2, play helm_of_mechaz0r b1, play helm_of_mechaz0r b3, "
     "play helm_of_mechaz0r b4, play helm_of_mechaz0r a4, choose h5", {"h5": "mechaz0r 6/6", "mech": 0}),
    ("blaze_hound", {"hand": "blaze_hound"}, "play blaze_hound b3", {"hand": 1, "left": 35}),
    ("sand_burrower", {"own": "sand_burrower@b3", "hand": "tempest"}, "play tempest", {"b3": "", "hand": ["sand_burrower"]}),
    ("jax_truesight", {"own": "hailstone_golem@a1", "hand": "jax_truesight"}, "play jax_truesight b3", {"count mini_jax": 3, "i5": "mini_jax 1/1"}),
    ("repulsor_beast", {"enemy": "hailstone_golem@c3", "hand": "repulsor_beast"}, "play repulsor_beast b3, choose c3, choose i5", {"i5": "hailstone_golem 4/6"}),
    ("silvertongue_corsair", {"own": "silvertongue_corsair@h3"}, "attack h3 i3", {"h3": "silvertongue_corsair 3/3", "enemy": 22}),
    ("twilight_sorcerer", {"hand": "war_surge twilight_sorcerer"}, "play war_surge, play twilight_sorcerer b3", {"hand": ["war_surge"]}),
    ("primus_fist", {"own": "hailstone_golem@b3", "hand": "primus_fist"}, "play primus_fist b2, choose b3", {"b3": "hailstone_golem 6/6"}),
    ("golem_metallurgist", {"own": "golem_metallurgist@b3", "hand": "bloodshard_golem skyrock_golem", "mana": 4}, "play bloodshard_golem b2, play skyrock_golem b4", {"mana": 0}),
    ("golem_vanquisher", {"own": "golem_vanquisher@b3 hailstone_golem@d3 phalanxar@d4"}, "", {"keywords d3": {"provoke"}, "keywords d4": set()}),
    ("frostbone_naga", {"own": "hailstone_golem@b2", "enemy": "hailstone_golem@c3", "hand": "frostbone_naga"}, "play frostbone_naga b3",
     {"b2": "hailstone_golem 4/4", "c3": "hailstone_golem 4/4", "own": 23, "b3": "frostbone_naga 3/3"}),
    ("archon_spellbinder", {"enemy": "archon_spellbinder@e3", "hand": "war_surge"}, "play war_surge", {"mana": 6}),
    ("silhouette_tracer", {"hand": "silhouette_tracer"}, "play silhouette_tracer b3, choose d3", {"d3": "general 2/25", "a3": ""}),
    ("sarlac_the_eternal", {"own": "sarlac_the_eternal@b3", "hand": "tempest"}, "play tempest", {"b3": "", "count sarlac_the_eternal": 1}),
    ("dark_nemesis", {"own": "dark_nemesis@b3"}, "end turn, end turn", {"enemy": 21, "b3": "dark_nemesis 8/10"}),
    ("mirkblood_devourer", {"own": "mirkblood_devourer@b3", "hand": "phalanxar phalanxar"}, "play phalanxar b2, play phalanxar c1", {"b2": "phalanxar 7/2", "c1": "phalanxar 6/1"}),
    ("sojourner", {"own": "sojourner@b3", "enemy": "whistling_blade@c3"}, "attack b3 c3", {"hand": 1}),
    ("azure_horn_shaman", {"own": "azure_horn_shaman@b3 hailstone_golem@c3 hailstone_golem@e3", "hand": "martyrdom"}, "play martyrdom b3",
     {"c3": "hailstone_golem 4/10", "e3": "hailstone_golem 4/6"}),
    ("flameblood_warlock", {"hand": "flameblood_warlock"}, "play flameblood_warlock b3", {"own": 22, "enemy": 22}),
    ("bloodtear_alchemist", {"hand": "bloodtear_alchemist"}, "play bloodtear_alchemist b3, choose i3", {"enemy": 24}),
    ("dancing_blades", {"enemy": "hailstone_golem@c3", "hand": "dancing_blades"}, "play dancing_blades b3", {"c3": "hailstone_golem 4/3"}),
    ("crossbones", {"enemy": "hailstone_golem@e3 widowmaker@e4", "hand": "crossbones"}, "play crossbones b3, choose e4", {"e4": ""}),
    ("sworn_avenger", {"own": "sworn_avenger@b3", "hand": "flameblood_warlock"}, "play flameblood_warlock b2", {"b3": "sworn_avenger 2/3"}),
    ("sworn_defender", {"own": "sworn_defender@b3-5", "hand": "flameblood_warlock"}, "play flameblood_warlock b2", {"b3": "sworn_defender 4/7"}),
    ("red_synja", {"own": "red_synja@b3", "enemy": "hailstone_golem@c3 hailstone_golem@e3", "hand": "flameblood_warlock"}, "play flameblood_warlock b2",
     {"c3": "", "e3": "hailstone_golem 4/6"}),
    ("rust_crawler", {"enemy_artifacts": "snowpiercer", "hand": "rust_crawler"}, "play rust_crawler b3", {"i3": "general 2/25"}),
    ("artifact_hunter", {"hand": "artifact_hunter", "deck": "tempest snowpiercer tempest"}, "play artifact_hunter b3", {"hand": ["snowpiercer"]}),
    ("chaos_elemental", {"own": "chaos_elemental@b3", "hand": "tempest"}, "play tempest", {"b3": "", "count chaos_elemental": 1}),
    ("mindwarper", {"enemy_hand": "tempest hailstone_golem", "hand": "mindwarper"}, "play mindwarper b3", {"hand": ["tempest"]}),
    ("pandora", {"own": "pandora@b3"}, "end turn", {"units": 4}),
    ("lux_ignis", {"own": "lux_ignis@b3 hailstone_golem@b2-3 hailstone_golem@e3-3"}, "end turn", {"b2": "hailstone_golem 4/5", "e3": "hailstone_golem 4/3"}),
    ("syvrel_the_exile", {"own": "syvrel_the_exile@b3", "enemy": "hailstone_golem@h5"}, "attack b3 h5", {"c3": "hailstone_golem 4/5"}),
    ("spelljammer", {"own": "spelljammer@b3"}, "end turn", {"hand": 3}),
    ("dioltas", {"own": "dioltas@e3", "hand": "martyrdom"}, "play martyrdom e3", {"count tombstone": 1}),
    ("maw", {"enemy": "hailstone_golem@c3", "hand": "maw"}, "play maw b3, choose c3", {"c3": "hailstone_golem 4/4"}),
    ("deathblighter", {"enemy": "hailstone_golem@c3 hailstone_golem@c4", "hand": "deathblighter"}, "play deathblighter b3", {"c3": "hailstone_golem 4/3", "c4": "hailstone_golem 4/3"}),
    ("healing_mystic", {"own": "general@a3-5", "hand": "healing_mystic"}, "play healing_mystic b3, choose a3", {"own": 22}),
    ("void_hunter", {"own": "void_hunter@b3", "hand": "tempest"}, "play tempest", {"hand": 1}),
    ("ash_mephyt", {"hand": "ash_mephyt"}, "play ash_mephyt b3", {"count ash_mephyt": 3}),
    ("first_sword_of_akrane", {"own": "first_sword_of_akrane@b3 hailstone_golem@e3"}, "", {"b3": "first_sword_of_akrane 7/7", "e3": "hailstone_golem 5/6", "a3": "general 2/25"}),
    ("the_high_hand", {"enemy_hand": "tempest tempest war_surge", "hand": "the_high_hand"}, "play the_high_hand b3", {"b3": "the_high_hand 5/6"}),
    ("eclipse", {"own": "eclipse@b3", "enemy": "hailstone_golem@c3"}, "attack b3 c3", {"enemy": 21}),
    ("moebius", {"own": "moebius@b3-2"}, "end turn, end turn", {"b3": "moebius 5/3"}),
    ("captain_hank_hart", {"own": "captain_hank_hart@b3-3", "enemy": "hailstone_golem@h5"}, "attack b3 h5", {"b3": "captain_hank_hart 2/3"}),
    ("songweaver", {"own": "hailstone_golem@b3", "hand": "songweaver"}, "play songweaver b2, choose b3", {"b3": "hailstone_golem 5/7"}),
    ("aethermaster", {"own": "aethermaster@b3", "hand": "brightmoss_golem brightmoss_golem", "deck": "tempest war_surge"}, "replace brightmoss_golem, replace brightmoss_golem",
     {"replaced": 2}),
    ("zenrui_the_blightspawned", {"enemy": "kaido_assassin@c3", "hand": "zenrui_the_blightspawned"}, "play zenrui_the_blightspawned b3, choose c3", {"owner c3": 0}),
    ("emerald_rejuvenator", {"own": "general@a3-5", "enemy": "general@i3-3", "hand": "emerald_rejuvenator"}, "play emerald_rejuvenator b3", {"own": 24, "enemy": 25}),
    ("paddo", {"enemy": "hailstone_golem@f3 hailstone_golem@f4", "hand": "paddo"}, "play paddo e3", {"e3": "paddo 12/6", "count hailstone_golem": 2, "scattered f3 f4": True}),
    ("black_locust", {"own": "black_locust@b3"}, "move b3 e3", {"count black_locust": 2}),
    ("wind_runner", {"own": "wind_runner@b3 hailstone_golem@d4"}, "move b3 d3", {"d4": "hailstone_golem 5/7"}),
    ("mogwai", {"own": "mogwai@b3"}, "move b3 d3", {"hand": 1}),
    ("ghost_lynx", {"enemy": "hailstone_golem@c3", "hand": "ghost_lynx"}, "play ghost_lynx b3, choose c3", {"c3": "", "count hailstone_golem": 1}),
    ("firestarter", {"own": "firestarter@b3", "hand": "war_surge"}, "play war_surge", {"count spellspark": 1}),
    ("khymera", {"own": "khymera@b3", "hand": "tempest"}, "play tempest", {"units": 4}),
    ("jaxi", {"own": "jaxi@b3", "hand": "tempest"}, "play tempest", {"count mini_jax": 1, "b3": ""}),
    ("sun_elemental", {"own": "hailstone_golem@b3 phalanxar@b4", "hand": "sun_elemental"}, "play sun_elemental b2", {"b3": "hailstone_golem 4/8", "b4": "phalanxar 6/3", "b2": "sun_elemental 3/3"}),
    ("araki_headhunter", {"own": "araki_headhunter@b3", "hand": "gloomchaser hailstone_golem"}, "play gloomchaser b2, play hailstone_golem b4", {"b3": "araki_headhunter 3/3"}),
    ("white_widow", {"own": "white_widow@b3", "hand": "phalanxar"}, "replace phalanxar", {"enemy": 23}),
    ("wings_of_paradise", {"own": "wings_of_paradise@b3", "hand": "phalanxar"}, "replace phalanxar", {"b3": "wings_of_paradise 5/3"}),
    ("bonereaper", {"own": "bonereaper@b3", "enemy": "hailstone_golem@c3"}, "end turn", {"c3": "hailstone_golem 4/4"}),
    ("hollow_grovekeeper", {"enemy": "primus_shieldmaster@c3 hailstone_golem@c4", "hand": "hollow_grovekeeper"}, "play hollow_grovekeeper b3, choose c3",
     {"c3": "", "keywords b3": {"provoke", "frenzy"}}),
    ("hollow_grovekeeper without prey", {"enemy": "hailstone_golem@c4", "hand": "hollow_grovekeeper"}, "play hollow_grovekeeper b3", {"keywords b3": set()}),
    ("tethermancer", {"own": "tethermancer@b3", "enemy": "widowmaker@c3"}, "attack b3 c3", {"keywords c3": set(), "c3": "widowmaker 2/2"}),
    ("keshrai_fanblade", {"hand": "keshrai_fanblade", "enemy_hand": "tempest"}, "play keshrai_fanblade b3, end turn, play tempest", {"enemy_mana": 5}),
    ("keshrai_fanblade ends", {"hand": "keshrai_fanblade", "enemy_hand": "tempest"}, "play keshrai_fanblade b3, end turn, end turn, end turn, play tempest",
     {"enemy_mana": 7}),
]  # fmt: skip
PLAIN = [card.id for card in cards()[1:] if not card.abilities and card.type == "minion"]
TOKENS = {card.id for card in cards() if card.token}


@pytest.mark.parametrize(("setting", "actions", "expected"), [scene[1:] for scene in SCENES], ids=[scene[0] for scene in SCENES])
def test_a_card_does_what_it_says(setting, actions, expected):
    world = position(**setting)
    act(world, *(action for action in actions.split(", ") if action))
    told(world, expected)


@pytest.mark.parametrize("name", PLAIN)
def test_a_minion_without_abilities_comes_as_it_is_printed(name):
    card = next(card for card in cards() if card.id == name)
    world = act(position(hand=name), f"play {name} b3")
    assert unit_on(world, "b3") == f"{name} {card.attack}/{card.health}"
    assert keywords_on(world, "b3") == set(card.keywords)
    assert world.record["mana"][0] == 9 - card.mana


def test_every_card_has_its_scene():
    shown = {scene[0].split()[0] for scene in [*STARTERS, *FACTIONS, *SCENES]} | set(PLAIN)
    assert {card.id for card in cards()[1:] if card.type != "general"} - shown - TOKENS == set()


def test_every_card_is_described():
    told_of = {card.id: describe(card) for card in cards()[1:] if card.abilities}
    assert all(text.endswith(".") and "{" not in text for text in told_of.values())
    assert told_of["true_strike"] == "Deal 2 damage to a minion."
    assert told_of["war_surge"] == "Give every friendly minion +1/+1."
